"""The four controls behind the model page's three parts, made in the order in which they need each other."""

from dataclasses import dataclass

from app.paths import AppPaths
from app.window.bridge import EngineBridge
from app.window.model_control import ModelControl
from app.window.models.download_control import DownloadControl
from app.window.models.hub_control import HubControl
from app.window.models.library_control import LibraryControl
from app.window.models.network_control import NetworkControl
from app.window.settings_control import SettingsControl


@dataclass(frozen=True, slots=True)
class HubControls:
    network: NetworkControl
    library: LibraryControl
    downloads: DownloadControl
    hub: HubControl

    def shut_down(self) -> None:
        """Called before the engine is closed."""
        self.downloads.shut_down()


def hub_controls(bridge: EngineBridge, models: ModelControl, settings: SettingsControl, paths: AppPaths) -> HubControls:
    """An engine that was started hears first how to reach the hub, then of the library's folders, then of downloads."""
    network = NetworkControl(bridge, settings)
    library = LibraryControl(bridge, models, settings, paths.library)
    downloads = DownloadControl(bridge, models, settings)
    library.settled.connect(downloads.watch)
    return HubControls(network, library, downloads, HubControl(bridge, network))
