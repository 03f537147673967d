"""The fake hub of the transfers, with what the real one tells of its repositories: listings, descriptions, searches.

Answers have the form of the hub's interface as huggingface_hub reads it. Facts beside the files are in `about`.
"""

import json
import re
from typing import Any
from urllib.parse import quote

from tests.hub.transfer.fake_hub import MAIN, FakeHub, Repo, Seen, git_sha1, is_large, sha256

Answer = tuple[int, dict[str, str], bytes]


class HubWithApi(FakeHub):
    """`renamed` maps old names to new ones; a listing comes in pages of `page_size`.

    `instead` answers what it names otherwise: a pattern of paths → the answer.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.about: dict[str, dict[str, Any]] = {}
        self.renamed: dict[str, str] = {}
        self.page_size = 1000
        self.next_page_at = ""
        self.instead: dict[str, Answer] = {}

    def describe(self, name: str, **facts: Any) -> None:
        self.about[name] = facts

    def answer_api(self, path: str, query: dict[str, list[str]], seen: Seen) -> Answer:
        for pattern, answer in self.instead.items():
            if re.search(pattern, path):
                return answer
        token = seen.headers.get("authorization", "").removeprefix("Bearer ")
        if path == "/api/models":
            return self._search(query, token)
        match = re.fullmatch(r"/api/models/([^/]+/[^/]+)/(revision|tree)/(.+)", path)
        if not match:
            return 404, {}, b""
        name, kind, revision = match.groups()
        if name in self.renamed:
            place = f"/api/models/{self.renamed[name]}/{kind}/{quote(revision, safe='')}"
            return 307, {"Location": place}, b""
        repo = self.repos.get(name)
        if repo is None or (repo.private and token not in repo.readers):
            return 404 if token else 401, {"X-Error-Code": "RepoNotFound"}, b"{}"
        commit = repo.newest if revision == MAIN else revision
        if commit not in repo.commits:
            return 404, {"X-Error-Code": "RevisionNotFound"}, b"{}"
        if kind == "revision":
            return _json({**self._description(name, repo), "sha": commit})
        return self._tree(name, commit, repo.commits[commit], query)

    def _tree(self, name: str, commit: str, files: dict[str, bytes], query: dict[str, list[str]]) -> Answer:
        entries = [{"type": "directory", "path": "a-folder", "oid": "d" * 40, "size": 0}]
        for path, data in files.items():
            entry: dict[str, Any] = {"type": "file", "path": path, "size": len(data), "oid": git_sha1(data)}
            if is_large(path):
                entry["lfs"] = {"oid": sha256(data), "size": len(data), "pointerSize": 134}
            entries.append(entry)
        first = int(query.get("cursor", ["0"])[0])
        headers = {}
        if first + self.page_size < len(entries):
            at = f"{self.next_page_at or self.url}/api/models/{name}/tree/{commit}"
            headers["Link"] = f'<{at}?recursive=True&cursor={first + self.page_size}>; rel="next"'
        return _json(entries[first : first + self.page_size], headers)

    def _description(self, name: str, repo: Repo) -> dict[str, Any]:
        facts = {"id": name, "modelId": name, "private": repo.private, "gated": "manual" if repo.gated else False}
        return {**facts, "downloads": 0, "likes": 0, "tags": [], **self.about.get(name, {})}

    def _search(self, query: dict[str, list[str]], token: str) -> Answer:
        def asked(key: str) -> str:
            return query.get(key, [""])[0]

        found = [
            self._description(name, repo)
            for name, repo in self.repos.items()
            if asked("search").lower() in name.lower() and (not repo.private or token in repo.readers)
        ]
        found = [f for f in found if not asked("author") or f["id"].startswith(asked("author") + "/")]
        found = [f for f in found if not asked("filter") or asked("filter") in f["tags"]]
        if asked("sort") == "downloads":
            found.sort(key=lambda f: -f["downloads"])
        return _json(found[: int(asked("limit") or 1000)])


def _json(value: object, headers: dict[str, str] | None = None) -> Answer:
    return 200, {"Content-Type": "application/json", **(headers or {})}, json.dumps(value).encode()
