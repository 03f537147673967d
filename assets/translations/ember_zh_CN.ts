<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>AccentChoice</name>
    <message>
        <location filename="../../app/window/settings/accent_choice.py"/>
        <source>Ember</source>
        <translation>Ember</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/accent_choice.py"/>
        <source>Forest</source>
        <translation>森林</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/accent_choice.py"/>
        <source>Lagoon</source>
        <translation>湖蓝</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/accent_choice.py"/>
        <source>Rose</source>
        <translation>玫瑰</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/accent_choice.py"/>
        <source>Sky</source>
        <translation>天空</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/accent_choice.py"/>
        <source>Violet</source>
        <translation>紫罗兰</translation>
    </message>
</context>
<context>
    <name>AdoptDialog</name>
    <message>
        <location filename="../../app/window/models/library_dialogs.py"/>
        <source>Checking and taking over: %1 %</source>
        <translation>正在校验并接管：%1%</translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_dialogs.py"/>
        <source>Looking for models…</source>
        <translation>正在查找模型…</translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_dialogs.py"/>
        <source>Models of other programs</source>
        <translation>其他程序的模型</translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_dialogs.py"/>
        <source>No other program has models here that Ember could take over.</source>
        <translation>没有找到 Ember 可以接管的其他程序的模型。</translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_dialogs.py"/>
        <source>Take %1 over</source>
        <translation>接管 %1</translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_dialogs.py"/>
        <source>Take over</source>
        <translation>接管</translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_dialogs.py"/>
        <source>They stay where they are. On the same drive they take no further room.</source>
        <translation>它们留在原处。在同一磁盘上不再占用空间。</translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_dialogs.py"/>
        <source>Waiting for its turn…</source>
        <translation>排队等待…</translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_dialogs.py"/>
        <source>is copied from another drive</source>
        <translation>从其他磁盘复制</translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_dialogs.py"/>
        <source>takes no further room</source>
        <translation>不再占用空间</translation>
    </message>
</context>
<context>
    <name>AnswerDetails</name>
    <message>
        <location filename="../../app/window/answer_detail_words.py"/>
        <source>%1 %, by layer %2 to %3 %</source>
        <translation>%1%，各层 %2 到 %3%</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_detail_words.py"/>
        <source>%1 J</source>
        <translation>%1 J</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_detail_words.py"/>
        <source>%1 J, %2 J a token</source>
        <translation>%1 J，每词元 %2 J</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_detail_words.py"/>
        <source>%1 graphics card, %2 processor</source>
        <translation>显卡 %1，处理器 %2</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_detail_words.py"/>
        <source>%1 of %2 held</source>
        <translation>%2 个中有 %1 个成立</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_detail_words.py"/>
        <source>%1 of %2 tokens</source>
        <translation>%2 个词元中的 %1 个</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_detail_words.py"/>
        <source>%1 parts, continued in between</source>
        <translation>%1 段，中途继续过</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_detail_words.py"/>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_detail_words.py"/>
        <source>%1 tokens</source>
        <translation>%1 个词元</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_detail_words.py"/>
        <source>%1 tokens/s</source>
        <translation>%1 词元/秒</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_detail_words.py"/>
        <source>%1; %2 of it was read</source>
        <translation>%1；读取了其中的 %2</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_detail_words.py"/>
        <source>%1; mean KL %2 nats at %3 checked tokens</source>
        <translation>%1；在检查的 %3 个词元上平均 KL 为 %2 奈特</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_detail_words.py"/>
        <source>Active neurons</source>
        <translation>活跃神经元</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_detail_words.py"/>
        <source>Answer</source>
        <translation>回答</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_details.py"/>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_detail_words.py"/>
        <source>Computed</source>
        <translation>计算方式</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_detail_words.py"/>
        <source>Context used</source>
        <translation>已用上下文</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_details.py"/>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_details.py"/>
        <source>Details of the answer</source>
        <translation>回答的详情</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_detail_words.py"/>
        <source>Ended</source>
        <translation>结束</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_detail_words.py"/>
        <source>Energy</source>
        <translation>能耗</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_detail_words.py"/>
        <source>Figures</source>
        <translation>数据</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_detail_words.py"/>
        <source>First token after</source>
        <translation>首个词元用时</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_detail_words.py"/>
        <source>Graphics card</source>
        <translation>显卡</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_detail_words.py"/>
        <source>Longest answer</source>
        <translation>回答的最大长度</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_detail_words.py"/>
        <source>Min-p</source>
        <translation>Min-p</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_detail_words.py"/>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_detail_words.py"/>
        <source>Neurons’ work</source>
        <translation>神经元工作量</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_detail_words.py"/>
        <source>Not read</source>
        <translation>未读取</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_detail_words.py"/>
        <source>Preset</source>
        <translation>预设</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_detail_words.py"/>
        <source>Processor and its memory</source>
        <translation>处理器及其内存</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_detail_words.py"/>
        <source>Read for a token</source>
        <translation>每词元读取</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_detail_words.py"/>
        <source>Reading the prompt</source>
        <translation>读取提示词</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_detail_words.py"/>
        <source>Repetition penalty</source>
        <translation>重复惩罚</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_detail_words.py"/>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_detail_words.py"/>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_detail_words.py"/>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_detail_words.py"/>
        <source>Stop strings</source>
        <translation>停止字符串</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_detail_words.py"/>
        <source>Temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_detail_words.py"/>
        <source>The rest took</source>
        <translation>其余用时</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_detail_words.py"/>
        <source>Tokens guessed from the text</source>
        <translation>从文本猜出的词元</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_detail_words.py"/>
        <source>Tokens of the answer</source>
        <translation>回答的词元</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_detail_words.py"/>
        <source>Tokens of the prompt</source>
        <translation>提示词的词元</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_detail_words.py"/>
        <source>Top-k</source>
        <translation>Top-k</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_detail_words.py"/>
        <source>Top-p</source>
        <translation>Top-p</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_details.py"/>
        <source>Use this seed</source>
        <translation>使用这个种子</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_detail_words.py"/>
        <source>With every neuron</source>
        <translation>使用全部神经元</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_details.py"/>
        <source>With the same settings and the same messages, the same answer comes again.</source>
        <translation>用同样的设置和同样的消息，会得到同样的回答。</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_detail_words.py"/>
        <source>Work</source>
        <translation>工作</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_detail_words.py"/>
        <source>Writing</source>
        <translation>写作</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_detail_words.py"/>
        <source>Written in</source>
        <translation>写作过程</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_detail_words.py"/>
        <source>at the stop string %1</source>
        <translation>遇到停止字符串 %1</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_detail_words.py"/>
        <source>by itself</source>
        <translation>自行结束</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_detail_words.py"/>
        <source>exactly</source>
        <translation>精确</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_detail_words.py"/>
        <source>of these still in memory</source>
        <translation>其中仍在内存中</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_detail_words.py"/>
        <source>without a part that was interrupted, which was not measured</source>
        <translation>不含被中断的一段，那一段没有测量</translation>
    </message>
</context>
<context>
    <name>AnswerFooter</name>
    <message>
        <location filename="../../app/window/transcript/answer_footer.py"/>
        <source>Answer again</source>
        <translation>重新回答</translation>
    </message>
    <message>
        <location filename="../../app/window/transcript/answer_footer.py"/>
        <source>Compare exact with a tier</source>
        <translation>比较精确与档位</translation>
    </message>
    <message>
        <location filename="../../app/window/transcript/answer_footer.py"/>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <location filename="../../app/window/transcript/answer_footer.py"/>
        <source>Continue this answer</source>
        <translation>继续这个回答</translation>
    </message>
    <message>
        <location filename="../../app/window/transcript/answer_footer.py"/>
        <source>Go on writing where the answer was cut off</source>
        <translation>从中断处继续写</translation>
    </message>
    <message>
        <location filename="../../app/window/transcript/answer_footer.py"/>
        <source>More</source>
        <translation>更多</translation>
    </message>
</context>
<context>
    <name>AnswerPane</name>
    <message>
        <location filename="../../app/window/neurons/comparison_page.py"/>
        <source>Answer</source>
        <translation>回答</translation>
    </message>
</context>
<context>
    <name>AnswerPanel</name>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>%1: back to the preset’s</source>
        <translation>%1：恢复为预设的值</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>A stop string has at most %1 characters.</source>
        <translation>一个停止字符串最多 %1 个字符。</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>Above 1 the model repeats itself less; 1 is off.</source>
        <translation>大于 1 时模型较少重复；1 表示关闭。</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>All chats</source>
        <translation>所有对话</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>Answer settings</source>
        <translation>回答设置</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>Base models go on with a text</source>
        <translation>基座模型续写文本</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>Chat template…</source>
        <translation>对话模板…</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>Drop words below this share of the likeliest; 0 is off.</source>
        <translation>舍弃概率低于最可能的词的这个比例的词；0 表示关闭。</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>Figures below each answer</source>
        <translation>每个回答下方的数据</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>For every chat without settings of its own.</source>
        <translation>用于没有自己设置的所有对话。</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>For every chat without settings of its own. This one has its own.</source>
        <translation>用于没有自己设置的所有对话。这个对话有自己的设置。</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>For example: Answer briefly and in plain words.</source>
        <translation>例如：请用简单的话简短回答。</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>For this chat alone.</source>
        <translation>仅用于这个对话。</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>Higher is more varied; 0 takes the likeliest.</source>
        <translation>越高变化越多；0 表示取最可能的。</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>How a conversation becomes the text that the model reads</source>
        <translation>对话怎样变成模型读取的文本</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>In tokens; a token is about four letters.</source>
        <translation>以词元计；一个词元大约是一到两个汉字。</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>Keep only this many of the likeliest words; 0 is off.</source>
        <translation>只保留这么多个最可能的词；0 表示关闭。</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>Keep the likeliest words that add up to this share; 1 is off.</source>
        <translation>保留最可能的词，直到概率合计达到这个比例；1 表示关闭。</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>Longest answer</source>
        <translation>回答的最大长度</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>Min-p</source>
        <translation>Min-p</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>One on each line; an answer ends before the first that it comes to. \n stands for a line break.</source>
        <translation>每行一个；回答在遇到其中任何一个之前结束。\n 表示换行。</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>Preset</source>
        <translation>预设</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>Read by the model before the conversation.</source>
        <translation>模型在读对话之前先读它。</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>Repetition penalty</source>
        <translation>重复惩罚</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>Stop strings</source>
        <translation>停止字符串</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>System prompt</source>
        <translation>系统提示词</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>Temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>The loaded model goes on with a text and does not read a system prompt.</source>
        <translation>已加载的模型续写文本，不读取系统提示词。</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>The same seed makes the same random choices. The one that was used is among an answer’s details.</source>
        <translation>同样的种子产生同样的随机选择。所用的种子可以在回答的详情中看到。</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>There are %1 stop strings; at most %2 can be kept.</source>
        <translation>有 %1 个停止字符串；最多可以保留 %2 个。</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>This chat</source>
        <translation>这个对话</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>This chat uses the settings for all chats until something is changed here.</source>
        <translation>在这里改动之前，这个对话使用所有对话的设置。</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>Tokens, speed and the time to the first token, as measured.</source>
        <translation>测得的词元数、速度和首个词元用时。</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>Top-k</source>
        <translation>Top-k</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>Top-p</source>
        <translation>Top-p</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>Use those for all chats</source>
        <translation>使用所有对话的设置</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>What you write is continued as it stands. Otherwise it is put to the model as a question.</source>
        <translation>您写的内容会按原样续写。否则会作为问题交给模型。</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>no limit</source>
        <translation>不限</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>random</source>
        <translation>随机</translation>
    </message>
</context>
<context>
    <name>AnswerView</name>
    <message>
        <location filename="../../app/window/transcript/answer_view.py"/>
        <source>Thinking…</source>
        <translation>正在思考…</translation>
    </message>
    <message>
        <location filename="../../app/window/transcript/answer_view.py"/>
        <source>Thought for %1 s</source>
        <translation>思考了 %1 秒</translation>
    </message>
    <message>
        <location filename="../../app/window/transcript/answer_view.py"/>
        <source>Thoughts</source>
        <translation>思考过程</translation>
    </message>
    <message>
        <location filename="../../app/window/transcript/answer_view.py"/>
        <source>Thoughts, about %1 tokens</source>
        <translation>思考过程，约 %1 个词元</translation>
    </message>
    <message>
        <location filename="../../app/window/transcript/answer_view.py"/>
        <source>Write %1 more versions</source>
        <translation>再写 %1 个版本</translation>
    </message>
    <message>
        <location filename="../../app/window/transcript/answer_view.py"/>
        <source>ended at the length limit, “Continue” goes on from there</source>
        <translation>达到长度上限而结束，按“继续”可接着写</translation>
    </message>
    <message>
        <location filename="../../app/window/transcript/answer_view.py"/>
        <source>without an interrupted part</source>
        <translation>不含被中断的一段</translation>
    </message>
</context>
<context>
    <name>AnswerWindows</name>
    <message>
        <location filename="../../app/window/answer_windows.py"/>
        <source>This chat uses the seed %1 from now on</source>
        <translation>这个对话从现在起使用种子 %1</translation>
    </message>
    <message>
        <location filename="../../app/window/answer_windows.py"/>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
</context>
<context>
    <name>AttachmentChip</name>
    <message>
        <location filename="../../app/window/composer/attachments_bar.py"/>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <location filename="../../app/window/composer/attachments_bar.py"/>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <location filename="../../app/window/composer/attachments_bar.py"/>
        <source>Remove %1</source>
        <translation>移除 %1</translation>
    </message>
</context>
<context>
    <name>Attachments</name>
    <message>
        <location filename="../../app/window/composer/attachment_words.py"/>
        <source>%1 tokens</source>
        <translation>%1 个词元</translation>
    </message>
    <message>
        <location filename="../../app/window/composer/attachment_words.py"/>
        <source>1 token</source>
        <translation>1 个词元</translation>
    </message>
    <message>
        <location filename="../../app/window/composer/attachment_words.py"/>
        <source>A message can have at most %5 files. Remove another one first.</source>
        <translation>一条消息最多 %5 个文件。请先移除一个。</translation>
    </message>
    <message>
        <location filename="../../app/window/composer/attachment_words.py"/>
        <source>It cannot be read: %1. Check its permissions.</source>
        <translation>无法读取：%1。请检查权限。</translation>
    </message>
    <message>
        <location filename="../../app/window/composer/attachment_words.py"/>
        <source>It has %2, and at most %3 can be read. Add a part of it.</source>
        <translation>它有 %2，最多可以读取 %3。请添加其中一部分。</translation>
    </message>
    <message>
        <location filename="../../app/window/composer/attachment_words.py"/>
        <source>It has more than %5 characters. Add a part of it.</source>
        <translation>它超过 %5 个字符。请添加其中一部分。</translation>
    </message>
    <message>
        <location filename="../../app/window/composer/attachment_words.py"/>
        <source>It has no text.</source>
        <translation>其中没有文字。</translation>
    </message>
    <message>
        <location filename="../../app/window/composer/attachment_words.py"/>
        <source>It is not there any more. Choose it again.</source>
        <translation>它已经不在了。请重新选择。</translation>
    </message>
    <message>
        <location filename="../../app/window/composer/attachment_words.py"/>
        <source>Its drive has not answered for %5 seconds. See that the drive or the network works, then add it again.</source>
        <translation>它所在的磁盘已有 %5 秒没有响应。请检查磁盘或网络是否正常，然后重新添加。</translation>
    </message>
    <message>
        <location filename="../../app/window/composer/attachment_words.py"/>
        <source>Pasted text</source>
        <translation>粘贴的文本</translation>
    </message>
    <message>
        <location filename="../../app/window/composer/attachment_words.py"/>
        <source>Reading the PDF took longer than %5 seconds. Save a part of it.</source>
        <translation>读取这个 PDF 超过了 %5 秒。请保存其中一部分。</translation>
    </message>
    <message>
        <location filename="../../app/window/composer/attachment_words.py"/>
        <source>The PDF asks for a password. Save it without one first.</source>
        <translation>这个 PDF 需要密码。请先另存为没有密码的文件。</translation>
    </message>
    <message>
        <location filename="../../app/window/composer/attachment_words.py"/>
        <source>The PDF has %4 pages, and at most %5 can be read. Save a part of it.</source>
        <translation>这个 PDF 有 %4 页，最多可以读取 %5 页。请保存其中一部分。</translation>
    </message>
    <message>
        <location filename="../../app/window/composer/attachment_words.py"/>
        <source>The PDF has pictures of pages and no text (%4 pages). Text recognition is needed first.</source>
        <translation>这个 PDF 只有页面图片，没有文字（%4 页）。需要先做文字识别。</translation>
    </message>
    <message>
        <location filename="../../app/window/composer/attachment_words.py"/>
        <source>The PDF is damaged. Open it in a PDF viewer and save it anew.</source>
        <translation>这个 PDF 已损坏。请用 PDF 阅读器打开并重新保存。</translation>
    </message>
    <message>
        <location filename="../../app/window/composer/attachment_words.py"/>
        <source>This is a folder, a pipe or a device. Choose single files.</source>
        <translation>这是文件夹、管道或设备。请选择单个文件。</translation>
    </message>
    <message>
        <location filename="../../app/window/composer/attachment_words.py"/>
        <source>This is no text file. Text, code and PDF can be read; save it as one of these.</source>
        <translation>这不是文本文件。可以读取文本、代码和 PDF；请另存为其中一种。</translation>
    </message>
    <message>
        <location filename="../../app/window/composer/attachment_words.py"/>
        <source>about %1 tokens</source>
        <translation>约 %1 个词元</translation>
    </message>
    <message>
        <location filename="../../app/window/composer/attachment_words.py"/>
        <source>about 1 token</source>
        <translation>约 1 个词元</translation>
    </message>
</context>
<context>
    <name>Baselines</name>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>Ember: as much as fits</source>
        <translation>Ember：能放多少放多少</translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>Ember: neurons by how often they fire</source>
        <translation>Ember：按激活频率放置神经元</translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>Within %1, by %2:</source>
        <translation>在 %1 之内，依据 %2：</translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>Within %1, predicted by the same account and the same speeds:</source>
        <translation>在 %1 之内，按同样的账目和同样的速度预测：</translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>does not fit</source>
        <translation>放不下</translation>
    </message>
</context>
<context>
    <name>BudgetCard</name>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>%1 in all: %2 Ember, %3 other programs, %4 free</source>
        <translation>共 %1：Ember %2，其他程序 %3，空闲 %4</translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>%1 of the neurons' work on the card</source>
        <translation>神经元工作量的 %1 在显卡上</translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>Budget in GiB</source>
        <translation>预算（GiB）</translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>By %1.</source>
        <translation>依据：%1。</translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>From %1 with nothing on the card to %2 with %3.</source>
        <translation>从显卡上没有内容时的 %1，到 %3 时的 %2。</translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>In force.</source>
        <translation>已生效。</translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>In force; moving the neurons took %1.</source>
        <translation>已生效；移动神经元用了 %1。</translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>Is applied at once…</source>
        <translation>马上应用…</translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>It can be moved while an answer is written: the words stay the same, but for near ties that rounding decides.</source>
        <translation>可以在写回答时移动它：除了由舍入决定的几乎相同的情况，用词不变。</translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>Let go to apply it.</source>
        <translation>松开即应用。</translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>Load a model to set its budget.</source>
        <translation>加载模型后才能设置它的预算。</translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>Memory on the card</source>
        <translation>显存</translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>Moving neurons…</source>
        <translation>正在移动神经元…</translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>Nothing of this model is on the card.</source>
        <translation>这个模型没有内容在显卡上。</translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>Press Enter to apply it.</source>
        <translation>按 Enter 应用。</translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>Use what is recommended</source>
        <translation>使用推荐值</translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>Use what is recommended: %1</source>
        <translation>使用推荐值：%1</translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>Working out what each budget buys…</source>
        <translation>正在计算每个预算能带来什么…</translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>budget</source>
        <translation>预算</translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>measured</source>
        <translation>测得</translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>measured after the next answer</source>
        <translation>在下一个回答之后测量</translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>measured once applied</source>
        <translation>应用后测量</translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>measured, last answer</source>
        <translation>测得，上一个回答</translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>not predicted for a demonstration</source>
        <translation>演示不作预测</translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>of the neurons' work on the card</source>
        <translation>神经元工作量在显卡上的比例</translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>predicted</source>
        <translation>预测</translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>predicted %1</source>
        <translation>预测 %1</translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>predicted, between two points</source>
        <translation>预测，在两点之间</translation>
    </message>
</context>
<context>
    <name>BudgetSlider</name>
    <message>
        <location filename="../../app/window/device/budget_slider.py"/>
        <source>Memory that Ember may take on the card</source>
        <translation>Ember 可以占用的显存</translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_slider.py"/>
        <source>recommended %1</source>
        <translation>推荐 %1</translation>
    </message>
</context>
<context>
    <name>CardDialog</name>
    <message>
        <location filename="../../app/window/models/library_dialogs.py"/>
        <source>%1, commit %2, fetched %3. Pictures are not loaded; links ask before they open.</source>
        <translation>%1，提交 %2，下载于 %3。不加载图片；打开链接前会询问。</translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_dialogs.py"/>
        <source>Card</source>
        <translation>显卡</translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_dialogs.py"/>
        <source>Card and licence</source>
        <translation>模型卡片与许可证</translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_dialogs.py"/>
        <source>Card of %1</source>
        <translation>%1 的模型卡片</translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_dialogs.py"/>
        <source>Licence</source>
        <translation>许可证</translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_dialogs.py"/>
        <source>The licence is stated as %1; its text was not among the files.</source>
        <translation>许可证标明为 %1；它的文本不在文件中。</translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_dialogs.py"/>
        <source>The publisher wrote no card, or it was not fetched.</source>
        <translation>发布者没有写模型卡片，或者没有下载它。</translation>
    </message>
</context>
<context>
    <name>CardRow</name>
    <message>
        <location filename="../../app/window/device/cards_card.py"/>
        <source>Use %1</source>
        <translation>使用 %1</translation>
    </message>
    <message>
        <location filename="../../app/window/device/cards_card.py"/>
        <source>in use</source>
        <translation>使用中</translation>
    </message>
    <message>
        <location filename="../../app/window/device/cards_card.py"/>
        <source>too old</source>
        <translation>太旧</translation>
    </message>
</context>
<context>
    <name>CardsCard</name>
    <message>
        <location filename="../../app/window/device/cards_card.py"/>
        <source>End the demonstration</source>
        <translation>结束演示</translation>
    </message>
    <message>
        <location filename="../../app/window/device/cards_card.py"/>
        <source>Graphics card</source>
        <translation>显卡</translation>
    </message>
    <message>
        <location filename="../../app/window/device/cards_card.py"/>
        <source>Graphics cards</source>
        <translation>显卡</translation>
    </message>
    <message>
        <location filename="../../app/window/device/cards_card.py"/>
        <source>The one with most free memory</source>
        <translation>空闲显存最多的一块</translation>
    </message>
    <message>
        <location filename="../../app/window/device/cards_card.py"/>
        <source>Try a demonstration on the processor</source>
        <translation>在处理器上试用演示</translation>
    </message>
    <message>
        <location filename="../../app/window/device/cards_card.py"/>
        <source>Use the card with most free memory</source>
        <translation>使用空闲显存最多的显卡</translation>
    </message>
    <message>
        <location filename="../../app/window/device/cards_card.py"/>
        <source>driver %1</source>
        <translation>驱动 %1</translation>
    </message>
</context>
<context>
    <name>ChatMenus</name>
    <message>
        <location filename="../../app/window/chats/chat_menus.py"/>
        <source>Move to</source>
        <translation>移动到</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/chat_menus.py"/>
        <source>New folder…</source>
        <translation>新文件夹…</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/chat_menus.py"/>
        <source>No folder</source>
        <translation>不放入文件夹</translation>
    </message>
</context>
<context>
    <name>ChatPage</name>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>%1 other versions are being written…</source>
        <translation>正在写另外 %1 个版本…</translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>A model is being imported; a message sent now may have to wait.</source>
        <translation>正在导入模型；现在发送的消息可能要等待。</translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>Another conversation is being answered; a message sent here waits.</source>
        <translation>正在回答另一个对话；在这里发送的消息会等待。</translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>Another version is being written…</source>
        <translation>正在写另一个版本…</translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>Answer settings</source>
        <translation>回答设置</translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>At temperature 0 all versions would be the same. Choose a higher temperature first.</source>
        <translation>温度为 0 时，所有版本都会一样。请先选择更高的温度。</translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>Choose a model</source>
        <translation>选择模型</translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>Choose or import another model</source>
        <translation>选择或导入其他模型</translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>Conversations are not saved in this session.</source>
        <translation>这次的对话不会保存。</translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>Esc stops all versions. What you send now is sent once they are done.</source>
        <translation>按 Esc 停止所有版本。现在发送的内容会在它们完成后发出。</translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>Esc stops the answer. What you send now is sent once it is done.</source>
        <translation>按 Esc 停止回答。现在发送的内容会在回答完成后发出。</translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>Export what you want to keep of this session, allow writing to this file and its folder, then start Ember again.</source>
        <translation>请先导出本次想保留的内容，再允许写入此文件及其文件夹，然后重新启动 Ember。</translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>From now on the middle is left out wherever a chat does not fit</source>
        <translation>从现在起，对话放不下时都会略去中间部分</translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>From now on the oldest messages are left out wherever a chat does not fit</source>
        <translation>从现在起，对话放不下时都会略去最早的消息</translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>I have read this</source>
        <translation>我已阅读</translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>Leave out the middle</source>
        <translation>略去中间部分</translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>Leave out the oldest</source>
        <translation>略去最早的</translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>Loading the model…</source>
        <translation>正在加载模型…</translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>Neurons are being studied; a message sent now is answered afterwards.</source>
        <translation>正在研究神经元；现在发送的消息会在之后回答。</translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>New chat</source>
        <translation>新对话</translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>No model is loaded.</source>
        <translation>没有加载模型。</translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>No model is loaded. Choose one from the library, or import a GGUF file.</source>
        <translation>没有加载模型。请从模型库中选择，或导入 GGUF 文件。</translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>Open the models page</source>
        <translation>打开“模型”页</translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>Restart the engine</source>
        <translation>重启引擎</translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>Speed is being measured; a message sent now is answered afterwards.</source>
        <translation>正在测量速度；现在发送的消息会在之后回答。</translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>Stopping…</source>
        <translation>正在停止…</translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>The answer is complete.</source>
        <translation>回答已完成。</translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>The engine has stopped.</source>
        <translation>引擎已停止。</translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>The engine is starting. You can write already.</source>
        <translation>引擎正在启动。您现在就可以写。</translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>The file with your conversations is write-protected: %1. All that is in it can be read and searched; what you write in this session is not saved.</source>
        <translation>存放对话的文件有写保护：%1。其中的内容都可以阅读和搜索；本次写下的内容不会保存。</translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>The model has given its memory back; the next message loads it again.</source>
        <translation>模型已归还内存；下一条消息会重新加载它。</translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>They are gone when you close Ember. Restart it once the file can be used again.</source>
        <translation>关闭 Ember 后它们就没有了。文件可以使用后请重新启动 Ember。</translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>Thinking…</source>
        <translation>正在思考…</translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>This model goes on with what you write; it was not taught to answer.</source>
        <translation>这个模型续写您写的内容；它没有学过回答。</translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>With top-k 1 all versions would be the same. Choose a higher top-k first.</source>
        <translation>Top-k 为 1 时，所有版本都会一样。请先选择更大的 Top-k。</translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>Your message waits until a model is loaded.</source>
        <translation>您的消息在等待，直到模型加载。</translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>Your message waits until the engine runs again.</source>
        <translation>您的消息在等待，直到引擎恢复运行。</translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>Your message waits until the speed measurement is done.</source>
        <translation>您的消息在等待，直到速度测量完成。</translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>Your message waits until the study of the neurons is done or paused.</source>
        <translation>您的消息在等待，直到神经元研究完成或暂停。</translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>Your message waits: another conversation is being answered.</source>
        <translation>您的消息在等待：正在回答另一个对话。</translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>Your message waits: the engine is starting…</source>
        <translation>您的消息在等待：引擎正在启动…</translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>Your message waits: the model is loaded again…</source>
        <translation>您的消息在等待：正在重新加载模型…</translation>
    </message>
</context>
<context>
    <name>ChatsDesk</name>
    <message>
        <location filename="../../app/window/chats/chats_desk.py"/>
        <source>%1 conversations deleted</source>
        <translation>已删除 %1 个对话</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/chats_desk.py"/>
        <source>%1 conversations restored</source>
        <translation>已恢复 %1 个对话</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/chats_desk.py"/>
        <source>%1 of %2 conversations…</source>
        <translation>%2 个对话中的 %1 个…</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/chats_desk.py"/>
        <source>A conversation is still being answered. Delete it once that has ended.</source>
        <translation>还有一个对话正在回答。请等它结束后再删除。</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/chats_desk.py"/>
        <source>Answer</source>
        <translation>回答</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/chats_desk.py"/>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/chats_desk.py"/>
        <source>Conversation deleted</source>
        <translation>对话已删除</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/chats_desk.py"/>
        <source>Conversation restored</source>
        <translation>对话已恢复</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/chats_desk.py"/>
        <source>Create</source>
        <translation>创建</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/chats_desk.py"/>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/chats_desk.py"/>
        <source>Delete folder</source>
        <translation>删除文件夹</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/chats_desk.py"/>
        <source>Export all…</source>
        <translation>导出全部…</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/chats_desk.py"/>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/chats_desk.py"/>
        <source>Folder deleted</source>
        <translation>已删除文件夹</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/chats_desk.py"/>
        <source>Folder deleted; the %1 conversations in it are kept</source>
        <translation>已删除文件夹；其中的 %1 个对话保留</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/chats_desk.py"/>
        <source>Folder deleted; the conversation in it is kept</source>
        <translation>已删除文件夹；其中的对话保留</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/chats_desk.py"/>
        <source>Import Jan’s folder…</source>
        <translation>导入 Jan 的文件夹…</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/chats_desk.py"/>
        <source>Import conversations…</source>
        <translation>导入对话…</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/chats_desk.py"/>
        <source>Name of the folder</source>
        <translation>文件夹的名称</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/chats_desk.py"/>
        <source>New folder</source>
        <translation>新文件夹</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/chats_desk.py"/>
        <source>New folder…</source>
        <translation>新文件夹…</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/chats_desk.py"/>
        <source>Pin</source>
        <translation>置顶</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/chats_desk.py"/>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/chats_desk.py"/>
        <source>Saved as %1</source>
        <translation>已保存为 %1</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/chats_desk.py"/>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/chats_desk.py"/>
        <source>This conversation is in a write-protected file, and stays there.</source>
        <translation>此对话在有写保护的文件中，会留在那里。</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/chats_desk.py"/>
        <source>This conversation is no longer there.</source>
        <translation>这个对话已经不在了。</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/chats_desk.py"/>
        <source>Trash…</source>
        <translation>回收站…</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/chats_desk.py"/>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/chats_desk.py"/>
        <source>Unpin</source>
        <translation>取消置顶</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/chats_desk.py"/>
        <source>Version deleted</source>
        <translation>已删除这个版本</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/chats_desk.py"/>
        <source>Version deleted, with %1 messages that followed it</source>
        <translation>已删除这个版本及其后的 %1 条消息</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/chats_desk.py"/>
        <source>Version deleted, with the message that followed it</source>
        <translation>已删除这个版本及其后的消息</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/chats_desk.py"/>
        <source>You</source>
        <translation>您</translation>
    </message>
</context>
<context>
    <name>ChatsPane</name>
    <message>
        <location filename="../../app/window/chats/chats_pane.py"/>
        <source>All words must be found; “words in quotes” as they stand (Ctrl+Shift+F)</source>
        <translation>必须包含所有词；“引号中的文字”按原样查找（Ctrl+Shift+F）</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/chats_pane.py"/>
        <source>Folders, import, export, trash</source>
        <translation>文件夹、导入、导出、回收站</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/chats_pane.py"/>
        <source>No conversation contains this.</source>
        <translation>没有对话包含它。</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/chats_pane.py"/>
        <source>Search conversations</source>
        <translation>搜索对话</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/chats_pane.py"/>
        <source>Searching…</source>
        <translation>正在搜索…</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/chats_pane.py"/>
        <source>Your conversations will appear here.</source>
        <translation>您的对话会出现在这里。</translation>
    </message>
</context>
<context>
    <name>ClosingQuestion</name>
    <message>
        <location filename="../../app/window/chats/closing_question.py"/>
        <source>Close Ember, though not everything is saved?</source>
        <translation>有内容没有保存，仍要关闭 Ember 吗？</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/closing_question.py"/>
        <source>Close without saving</source>
        <translation>不保存，关闭</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/closing_question.py"/>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
</context>
<context>
    <name>CodeView</name>
    <message>
        <location filename="../../app/window/transcript/code_view.py"/>
        <source>Choose another folder, or copy the code. The code is still here.</source>
        <translation>请选择其他文件夹，或复制代码。代码仍在这里。</translation>
    </message>
    <message>
        <location filename="../../app/window/transcript/code_view.py"/>
        <source>Code</source>
        <translation>代码</translation>
    </message>
    <message>
        <location filename="../../app/window/transcript/code_view.py"/>
        <source>Code, %1</source>
        <translation>代码，%1</translation>
    </message>
    <message>
        <location filename="../../app/window/transcript/code_view.py"/>
        <source>Copy code</source>
        <translation>复制代码</translation>
    </message>
    <message>
        <location filename="../../app/window/transcript/code_view.py"/>
        <source>Save code as a file</source>
        <translation>把代码保存为文件</translation>
    </message>
    <message>
        <location filename="../../app/window/transcript/code_view.py"/>
        <source>Save the code</source>
        <translation>保存代码</translation>
    </message>
    <message>
        <location filename="../../app/window/transcript/code_view.py"/>
        <source>Wrap long lines</source>
        <translation>长行换行</translation>
    </message>
    <message>
        <location filename="../../app/window/transcript/code_view.py"/>
        <source>code</source>
        <translation>代码</translation>
    </message>
    <message>
        <location filename="../../app/window/transcript/code_view.py"/>
        <source>plain text</source>
        <translation>纯文本</translation>
    </message>
    <message>
        <location filename="../../app/window/transcript/code_view.py"/>
        <source>“%1” could not be saved: %2.</source>
        <translation>“%1”无法保存：%2。</translation>
    </message>
</context>
<context>
    <name>CommandPalette</name>
    <message>
        <location filename="../../app/window/palette.py"/>
        <source>Commands</source>
        <translation>命令</translation>
    </message>
    <message>
        <location filename="../../app/window/palette.py"/>
        <source>Nothing like that</source>
        <translation>没有类似的内容</translation>
    </message>
    <message>
        <location filename="../../app/window/palette.py"/>
        <source>Type what you want to do, or a conversation, a model, a setting</source>
        <translation>输入您想做的事，或对话、模型、设置的名称</translation>
    </message>
    <message>
        <location filename="../../app/window/palette.py"/>
        <source>What was found</source>
        <translation>找到的内容</translation>
    </message>
    <message>
        <location filename="../../app/window/palette.py"/>
        <source>What you want to do</source>
        <translation>您想做什么</translation>
    </message>
</context>
<context>
    <name>CompareRow</name>
    <message>
        <location filename="../../app/window/neurons/compare_row.py"/>
        <source>%1 is not loaded; once it is, it can answer exactly and by a tier.</source>
        <translation>没有加载 %1；加载后它可以精确地和按档位各回答一次。</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/compare_row.py"/>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/compare_row.py"/>
        <source>Compare exact with the tier</source>
        <translation>比较精确与档位</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/compare_row.py"/>
        <source>For example: Explain how rain forms</source>
        <translation>例如：解释雨是怎样形成的</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/compare_row.py"/>
        <source>Load %1</source>
        <translation>加载 %1</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/compare_row.py"/>
        <source>Load this model</source>
        <translation>加载这个模型</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/compare_row.py"/>
        <source>One prompt, answered exactly and by a tier, with the same seed.</source>
        <translation>一个提示词，用同一个种子，精确地和按档位各回答一次。</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/compare_row.py"/>
        <source>Prompt to compare answers to</source>
        <translation>用来比较回答的提示词</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/compare_row.py"/>
        <source>See the difference</source>
        <translation>查看差别</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/compare_row.py"/>
        <source>Tier to compare with exact</source>
        <translation>与精确比较的档位</translation>
    </message>
</context>
<context>
    <name>ComparisonPage</name>
    <message>
        <location filename="../../app/window/neurons/comparison_page.py"/>
        <source>%1 answers twice with the same seed: exactly, and by a tier.</source>
        <translation>%1 用同一个种子回答两次：精确地，以及按档位。</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/comparison_page.py"/>
        <source>%1 has no tier to compare with. The page on neurons measures what it can leave out.</source>
        <translation>%1 没有可以比较的档位。“神经元”页可以测量它能略去什么。</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/comparison_page.py"/>
        <source>%1 ran at %2 × the speed of exact</source>
        <translation>%1档的速度是精确的 %2 倍</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/comparison_page.py"/>
        <source>%1 tokens/s</source>
        <translation>%1 词元/秒</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/comparison_page.py"/>
        <source>Answered after the messages before it in the conversation. A prompt compared here stands alone.</source>
        <translation>在对话中前面的消息之后回答。在这里比较的提示词是独立的。</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/comparison_page.py"/>
        <source>Back to where you came from</source>
        <translation>返回之前的位置</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/comparison_page.py"/>
        <source>Both answers are shown when they are finished. Messages sent meanwhile wait.</source>
        <translation>两个回答都完成后才显示。期间发送的消息会等待。</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/comparison_page.py"/>
        <source>Both answers are the same, all %1 tokens of them.</source>
        <translation>两个回答相同，全部 %1 个词元。</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/comparison_page.py"/>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/comparison_page.py"/>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/comparison_page.py"/>
        <source>Compare answers</source>
        <translation>比较回答</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/comparison_page.py"/>
        <source>Compare exact with the tier</source>
        <translation>比较精确与档位</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/comparison_page.py"/>
        <source>For example: Explain how rain forms</source>
        <translation>例如：解释雨是怎样形成的</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/comparison_page.py"/>
        <source>No model is loaded that could answer.</source>
        <translation>没有加载可以回答的模型。</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/comparison_page.py"/>
        <source>Prompt to compare answers to</source>
        <translation>用来比较回答的提示词</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/comparison_page.py"/>
        <source>Stopping…</source>
        <translation>正在停止…</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/comparison_page.py"/>
        <source>The first %1 tokens are the same; then exact goes on with %2, %3 with %4.</source>
        <translation>前 %1 个词元相同；之后精确接着 %2，%3档接着 %4。</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/comparison_page.py"/>
        <source>The first token is the same; then exact goes on with %2, %3 with %4.</source>
        <translation>第一个词元相同；之后精确接着 %2，%3档接着 %4。</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/comparison_page.py"/>
        <source>They part at the first token: exact begins with %2, %3 with %4.</source>
        <translation>从第一个词元就不同：精确以 %2 开始，%3档以 %4 开始。</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/comparison_page.py"/>
        <source>Tier to compare with exact</source>
        <translation>与精确比较的档位</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/comparison_page.py"/>
        <source>Waits until the answer that is being written is finished.</source>
        <translation>等待正在写的回答完成。</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/comparison_page.py"/>
        <source>Waits until the engine is free again.</source>
        <translation>等待引擎空闲。</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/comparison_page.py"/>
        <source>answers end after %1 tokens at most</source>
        <translation>回答最多 %1 个词元</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/comparison_page.py"/>
        <source>exact against</source>
        <translation>精确对比</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/comparison_page.py"/>
        <source>its end</source>
        <translation>结束</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/comparison_page.py"/>
        <source>seed %1</source>
        <translation>种子 %1</translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message>
        <location filename="../../app/window/composer/composer.py"/>
        <source>A file is still being read. The message can be sent once that is done.</source>
        <translation>文件仍在读取，读取完成后即可发送消息。</translation>
    </message>
    <message>
        <location filename="../../app/window/composer/composer.py"/>
        <source>Add files</source>
        <translation>添加文件</translation>
    </message>
    <message>
        <location filename="../../app/window/composer/composer.py"/>
        <source>Add files to the message</source>
        <translation>为消息添加文件</translation>
    </message>
    <message>
        <location filename="../../app/window/composer/composer.py"/>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <location filename="../../app/window/composer/composer.py"/>
        <source>Ctrl+Enter</source>
        <translation>Ctrl+Enter</translation>
    </message>
    <message>
        <location filename="../../app/window/composer/composer.py"/>
        <source>Enter</source>
        <translation>Enter</translation>
    </message>
    <message>
        <location filename="../../app/window/composer/composer.py"/>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
    <message>
        <location filename="../../app/window/composer/composer.py"/>
        <source>Files that go with the message</source>
        <translation>随消息一起发送的文件</translation>
    </message>
    <message>
        <location filename="../../app/window/composer/composer.py"/>
        <source>Message</source>
        <translation>消息</translation>
    </message>
    <message>
        <location filename="../../app/window/composer/composer.py"/>
        <source>PDF files (*.pdf)</source>
        <translation>PDF 文件 (*.pdf)</translation>
    </message>
    <message>
        <location filename="../../app/window/composer/composer.py"/>
        <source>Picture</source>
        <translation>图片</translation>
    </message>
    <message>
        <location filename="../../app/window/composer/composer.py"/>
        <source>Send</source>
        <translation>发送</translation>
    </message>
    <message>
        <location filename="../../app/window/composer/composer.py"/>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <location filename="../../app/window/composer/composer.py"/>
        <source>Write a message, or / for a prompt…</source>
        <translation>写一条消息，或输入 / 选择提示词…</translation>
    </message>
</context>
<context>
    <name>ConnectionDialog</name>
    <message>
        <location filename="../../app/window/models/connection_dialog.py"/>
        <source>Everything works.</source>
        <translation>一切正常。</translation>
    </message>
    <message>
        <location filename="../../app/window/models/connection_dialog.py"/>
        <source>It fails at: %1</source>
        <translation>失败于：%1</translation>
    </message>
    <message>
        <location filename="../../app/window/models/connection_dialog.py"/>
        <source>Test again</source>
        <translation>再次测试</translation>
    </message>
    <message>
        <location filename="../../app/window/models/connection_dialog.py"/>
        <source>Test the connection</source>
        <translation>测试连接</translation>
    </message>
    <message>
        <location filename="../../app/window/models/connection_dialog.py"/>
        <source>Testing</source>
        <translation>正在测试</translation>
    </message>
    <message>
        <location filename="../../app/window/models/connection_dialog.py"/>
        <source>The way to %1, with a file of %2.</source>
        <translation>到 %1 的连接，使用 %2 的一个文件。</translation>
    </message>
</context>
<context>
    <name>Context</name>
    <message>
        <location filename="../../app/window/context_words.py"/>
        <source>%1 messages (%2 tokens) above are not read by the model</source>
        <translation>模型不会读取上面的 %1 条消息（%2 个词元）</translation>
    </message>
    <message>
        <location filename="../../app/window/context_words.py"/>
        <source>%1 messages, %2 tokens</source>
        <translation>%1 条消息，%2 个词元</translation>
    </message>
    <message>
        <location filename="../../app/window/context_words.py"/>
        <source>%1 tokens in the middle of the newest message</source>
        <translation>最新消息中间的 %1 个词元</translation>
    </message>
    <message>
        <location filename="../../app/window/context_words.py"/>
        <source>%1 tokens in the middle of the newest message are not read by the model</source>
        <translation>模型不会读取最新消息中间的 %1 个词元</translation>
    </message>
    <message>
        <location filename="../../app/window/context_words.py"/>
        <source>1 message (%2 tokens) above is not read by the model</source>
        <translation>模型不会读取上面的 1 条消息（%2 个词元）</translation>
    </message>
    <message>
        <location filename="../../app/window/context_words.py"/>
        <source>1 message, %2 tokens</source>
        <translation>1 条消息，%2 个词元</translation>
    </message>
</context>
<context>
    <name>ContextDetails</name>
    <message>
        <location filename="../../app/window/context_gauge.py"/>
        <source>%1 messages with %2 tokens are left out.</source>
        <translation>略去了 %1 条消息，共 %2 个词元。</translation>
    </message>
    <message>
        <location filename="../../app/window/context_gauge.py"/>
        <source>%1 tokens in the middle of your message are left out.</source>
        <translation>略去了您的消息中间的 %1 个词元。</translation>
    </message>
    <message>
        <location filename="../../app/window/context_gauge.py"/>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <location filename="../../app/window/context_gauge.py"/>
        <source>Form of the prompt</source>
        <translation>提示词的格式</translation>
    </message>
    <message>
        <location filename="../../app/window/context_gauge.py"/>
        <source>It can read at most</source>
        <translation>模型最多可读取</translation>
    </message>
    <message>
        <location filename="../../app/window/context_gauge.py"/>
        <source>It does not fit: %1 tokens too many. Shorten it, or choose below what may be left out.</source>
        <translation>放不下：多了 %1 个词元。请缩短它，或在下面选择可以略去什么。</translation>
    </message>
    <message>
        <location filename="../../app/window/context_gauge.py"/>
        <source>Keep the first message and its answer</source>
        <translation>保留第一条消息及其回答</translation>
    </message>
    <message>
        <location filename="../../app/window/context_gauge.py"/>
        <source>Leave out the middle</source>
        <translation>略去中间部分</translation>
    </message>
    <message>
        <location filename="../../app/window/context_gauge.py"/>
        <source>Leave out the oldest turns</source>
        <translation>略去最早的几轮</translation>
    </message>
    <message>
        <location filename="../../app/window/context_gauge.py"/>
        <source>Messages</source>
        <translation>消息</translation>
    </message>
    <message>
        <location filename="../../app/window/context_gauge.py"/>
        <source>Room for the answer</source>
        <translation>留给回答的空间</translation>
    </message>
    <message>
        <location filename="../../app/window/context_gauge.py"/>
        <source>Stop and ask me</source>
        <translation>停下来问我</translation>
    </message>
    <message>
        <location filename="../../app/window/context_gauge.py"/>
        <source>System prompt</source>
        <translation>系统提示词</translation>
    </message>
    <message>
        <location filename="../../app/window/context_gauge.py"/>
        <source>What the model reads, in tokens</source>
        <translation>模型读取的内容（词元）</translation>
    </message>
    <message>
        <location filename="../../app/window/context_gauge.py"/>
        <source>What you are writing, with files</source>
        <translation>您正在写的内容和文件</translation>
    </message>
    <message>
        <location filename="../../app/window/context_gauge.py"/>
        <source>When a conversation does not fit</source>
        <translation>对话放不下时</translation>
    </message>
</context>
<context>
    <name>ContextGauge</name>
    <message>
        <location filename="../../app/window/context_gauge.py"/>
        <source>%1 messages are left out.</source>
        <translation>略去了 %1 条消息。</translation>
    </message>
    <message>
        <location filename="../../app/window/context_gauge.py"/>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <location filename="../../app/window/context_gauge.py"/>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <location filename="../../app/window/context_gauge.py"/>
        <source>Context: this conversation takes %1 of the %2 tokens the model can read</source>
        <translation>上下文：这个对话占用模型可读取的 %2 个词元中的 %1 个</translation>
    </message>
    <message>
        <location filename="../../app/window/context_gauge.py"/>
        <source>It does not fit.</source>
        <translation>放不下。</translation>
    </message>
</context>
<context>
    <name>ConversationDelegate</name>
    <message>
        <location filename="../../app/window/conversation_list.py"/>
        <source>Name of the folder</source>
        <translation>文件夹的名称</translation>
    </message>
    <message>
        <location filename="../../app/window/conversation_list.py"/>
        <source>Title of the conversation</source>
        <translation>对话的标题</translation>
    </message>
</context>
<context>
    <name>ConversationList</name>
    <message>
        <location filename="../../app/window/conversation_list.py"/>
        <source>Conversations</source>
        <translation>对话</translation>
    </message>
</context>
<context>
    <name>ConversationListModel</name>
    <message>
        <location filename="../../app/window/chats/list_model.py"/>
        <source>%1, write-protected</source>
        <translation>%1，有写保护</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/list_model.py"/>
        <source>An answer in it was cut off and can be continued.</source>
        <translation>其中有一个回答被中断，可以继续。</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/list_model.py"/>
        <source>Folders</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/list_model.py"/>
        <source>It was answered while you looked elsewhere.</source>
        <translation>您在别处时它得到了回答。</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/list_model.py"/>
        <source>Its file is write-protected: nothing new in it is saved.</source>
        <translation>它所在的文件有写保护：其中的新内容不会保存。</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/list_model.py"/>
        <source>Last 30 days</source>
        <translation>过去 30 天</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/list_model.py"/>
        <source>Last 7 days</source>
        <translation>过去 7 天</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/list_model.py"/>
        <source>Older</source>
        <translation>更早</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/list_model.py"/>
        <source>Pinned</source>
        <translation>已置顶</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/list_model.py"/>
        <source>Temporary, not saved</source>
        <translation>临时，不保存</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/list_model.py"/>
        <source>Today</source>
        <translation>今天</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/list_model.py"/>
        <source>Untitled</source>
        <translation>无标题</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/list_model.py"/>
        <source>Yesterday</source>
        <translation>昨天</translation>
    </message>
</context>
<context>
    <name>DesktopTray</name>
    <message>
        <location filename="../../app/window/tray.py"/>
        <source>New chat</source>
        <translation>新对话</translation>
    </message>
    <message>
        <location filename="../../app/window/tray.py"/>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <location filename="../../app/window/tray.py"/>
        <source>Show Ember</source>
        <translation>显示 Ember</translation>
    </message>
</context>
<context>
    <name>DetailsPane</name>
    <message>
        <location filename="../../app/window/models/details_pane.py"/>
        <source>%1 downloads</source>
        <translation>%1 次下载</translation>
    </message>
    <message>
        <location filename="../../app/window/models/details_pane.py"/>
        <source>Back to all models</source>
        <translation>返回所有模型</translation>
    </message>
    <message>
        <location filename="../../app/window/models/details_pane.py"/>
        <source>Beginning…</source>
        <translation>正在开始…</translation>
    </message>
    <message>
        <location filename="../../app/window/models/details_pane.py"/>
        <source>Details of a model</source>
        <translation>模型的详情</translation>
    </message>
    <message>
        <location filename="../../app/window/models/details_pane.py"/>
        <source>Ember is offline: the hub is not asked, and nothing can be downloaded.</source>
        <translation>Ember 处于离线状态：不会询问 Hub，也不能下载。</translation>
    </message>
    <message>
        <location filename="../../app/window/models/details_pane.py"/>
        <source>Escape</source>
        <translation>Escape</translation>
    </message>
    <message>
        <location filename="../../app/window/models/details_pane.py"/>
        <source>Go online</source>
        <translation>联网</translation>
    </message>
    <message>
        <location filename="../../app/window/models/details_pane.py"/>
        <source>It is on this computer.</source>
        <translation>它在这台电脑上。</translation>
    </message>
    <message>
        <location filename="../../app/window/models/details_pane.py"/>
        <source>The engine has stopped.</source>
        <translation>引擎已停止。</translation>
    </message>
    <message>
        <location filename="../../app/window/models/details_pane.py"/>
        <source>continues text</source>
        <translation>续写文本</translation>
    </message>
    <message>
        <location filename="../../app/window/models/details_pane.py"/>
        <source>taught to hold a conversation</source>
        <translation>学过对话</translation>
    </message>
    <message>
        <location filename="../../app/window/models/details_pane.py"/>
        <source>updated %1</source>
        <translation>更新于 %1</translation>
    </message>
</context>
<context>
    <name>DeviceChip</name>
    <message>
        <location filename="../../app/window/top_bar.py"/>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <location filename="../../app/window/top_bar.py"/>
        <source>Device. %1</source>
        <translation>设备。%1</translation>
    </message>
</context>
<context>
    <name>DevicePage</name>
    <message>
        <location filename="../../app/window/device/device_page.py"/>
        <source>Back to the conversation</source>
        <translation>返回对话</translation>
    </message>
    <message>
        <location filename="../../app/window/device/device_page.py"/>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <location filename="../../app/window/device/device_page.py"/>
        <source>Looking at this computer, once the answer that is being written is finished…</source>
        <translation>正在写的回答完成后，就检查这台电脑…</translation>
    </message>
    <message>
        <location filename="../../app/window/device/device_page.py"/>
        <source>Looking at this computer…</source>
        <translation>正在检查这台电脑…</translation>
    </message>
    <message>
        <location filename="../../app/window/device/device_page.py"/>
        <source>Take %1 again</source>
        <translation>重新使用 %1</translation>
    </message>
    <message>
        <location filename="../../app/window/device/device_page.py"/>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <location filename="../../app/window/device/device_page.py"/>
        <source>What computes your answers: neurons that fire often in a graphics card's memory, the others on the processor at the same time.</source>
        <translation>什么在计算您的回答：常激活的神经元在显存中，其余的同时在处理器上。</translation>
    </message>
</context>
<context>
    <name>Dialogs</name>
    <message>
        <location filename="../../app/window/dialogs.py"/>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <location filename="../../app/window/dialogs.py"/>
        <source>Apache-2.0. Made with Qt and PySide6 (LGPL-3.0).</source>
        <translation>Apache-2.0。使用 Qt 和 PySide6（LGPL-3.0）制作。</translation>
    </message>
    <message>
        <location filename="../../app/window/dialogs.py"/>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <location filename="../../app/window/dialogs.py"/>
        <source>Desktop chat for large language models with sparse activations. Everything runs on this computer.</source>
        <translation>面向稀疏激活大语言模型的桌面对话程序。一切都在这台电脑上运行。</translation>
    </message>
    <message>
        <location filename="../../app/window/dialogs.py"/>
        <source>Diagnostics</source>
        <translation>诊断信息</translation>
    </message>
    <message>
        <location filename="../../app/window/dialogs.py"/>
        <source>Ember %1</source>
        <translation>Ember %1</translation>
    </message>
    <message>
        <location filename="../../app/window/dialogs.py"/>
        <source>GGUF models (*.gguf)</source>
        <translation>GGUF 模型 (*.gguf)</translation>
    </message>
    <message>
        <location filename="../../app/window/dialogs.py"/>
        <source>Import a model's folder</source>
        <translation>导入模型文件夹</translation>
    </message>
    <message>
        <location filename="../../app/window/dialogs.py"/>
        <source>Import models</source>
        <translation>导入模型</translation>
    </message>
    <message>
        <location filename="../../app/window/dialogs.py"/>
        <source>It leads to %1:</source>
        <translation>它指向 %1：</translation>
    </message>
    <message>
        <location filename="../../app/window/dialogs.py"/>
        <source>JSON files</source>
        <translation>JSON 文件</translation>
    </message>
    <message>
        <location filename="../../app/window/dialogs.py"/>
        <source>Licence</source>
        <translation>许可证</translation>
    </message>
    <message>
        <location filename="../../app/window/dialogs.py"/>
        <source>Licence of Ember</source>
        <translation>Ember 的许可证</translation>
    </message>
    <message>
        <location filename="../../app/window/dialogs.py"/>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <location filename="../../app/window/dialogs.py"/>
        <source>Open this link in your browser?</source>
        <translation>在浏览器中打开这个链接？</translation>
    </message>
    <message>
        <location filename="../../app/window/dialogs.py"/>
        <source>Pictures</source>
        <translation>图片</translation>
    </message>
    <message>
        <location filename="../../app/window/dialogs.py"/>
        <source>Save the report</source>
        <translation>保存报告</translation>
    </message>
    <message>
        <location filename="../../app/window/dialogs.py"/>
        <source>Text (*.txt *.md *.rst *.py *.csv *.json)</source>
        <translation>文本 (*.txt *.md *.rst *.py *.csv *.json)</translation>
    </message>
    <message>
        <location filename="../../app/window/dialogs.py"/>
        <source>Text files for studies</source>
        <translation>用于研究的文本文件</translation>
    </message>
    <message>
        <location filename="../../app/window/dialogs.py"/>
        <source>This will be copied. Names, folders and keys have been taken out; look through it all the same.</source>
        <translation>以下内容会被复制。名称、文件夹和密钥已经去掉；还是请您看一遍。</translation>
    </message>
    <message>
        <location filename="../../app/window/dialogs.py"/>
        <source>Web pages</source>
        <translation>网页</translation>
    </message>
    <message>
        <location filename="../../app/window/dialogs.py"/>
        <source>from its source folder</source>
        <translation>来自源代码文件夹</translation>
    </message>
</context>
<context>
    <name>DiscoverSection</name>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>%1 found</source>
        <translation>找到 %1 个</translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>%1 of %2 are shown</source>
        <translation>显示 %2 个中的 %1 个</translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>10 billion parameters and more</source>
        <translation>100 亿参数及以上</translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>2 to 10 B</source>
        <translation>2 到 10 B</translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>2 to 10 billion parameters</source>
        <translation>20 亿到 100 亿参数</translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>Base</source>
        <translation>基座</translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>Chat</source>
        <translation>对话</translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>Close the search</source>
        <translation>关闭搜索</translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>Continue a text; not taught to hold a conversation</source>
        <translation>续写文本；没有学过对话</translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>Ember is offline</source>
        <translation>Ember 处于离线状态</translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>Ember is offline. The catalogue is on this computer; the hub cannot be searched.</source>
        <translation>Ember 处于离线状态。目录在这台电脑上；不能搜索 Hub。</translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>Enter searches the hub.</source>
        <translation>按 Enter 搜索 Hub。</translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>Fewer than 2 billion parameters</source>
        <translation>少于 20 亿参数</translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>Go online</source>
        <translation>联网</translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>Models of the catalogue</source>
        <translation>目录中的模型</translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>Models on the hub</source>
        <translation>Hub 上的模型</translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>NAME/MODEL, NAME/MODEL@REVISION or a link opens that model.</source>
        <translation>NAME/MODEL、NAME/MODEL@REVISION 或链接会打开对应的模型。</translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>None of %1 fits the filters.</source>
        <translation>%1 个模型都不符合筛选条件。</translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>Nothing was found. Fewer words, or another spelling, may find more.</source>
        <translation>没有找到。减少文字或换一种拼写也许能找到更多。</translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>On the hub</source>
        <translation>Hub 上</translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>Over 10 B</source>
        <translation>10 B 以上</translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>Reading the catalogue…</source>
        <translation>正在读取目录…</translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>Runs here</source>
        <translation>能在这里运行</translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>Search field</source>
        <translation>搜索框</translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>Search models, or paste a model's name or link</source>
        <translation>搜索模型，或粘贴模型的名称或链接</translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>Search the hub</source>
        <translation>搜索 Hub</translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>Search, or paste a model's name or link</source>
        <translation>搜索，或粘贴模型的名称或链接</translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>Searching…</source>
        <translation>正在搜索…</translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>Show all</source>
        <translation>全部显示</translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>Show all models of the catalogue</source>
        <translation>显示目录中的所有模型</translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>Sparse models Ember knows</source>
        <translation>Ember 认识的稀疏模型</translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>Taught to hold a conversation</source>
        <translation>学过对话</translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>Under 2 B</source>
        <translation>2 B 以下</translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>Without those that Ember does not run, and those whose weights, at 4 bits each, exceed this computer's memory. Each model's page tells exactly.</source>
        <translation>不含 Ember 不能运行的模型，以及权重按每个 4 位计算仍超过这台电脑内存的模型。每个模型的页面会准确说明。</translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>Words narrow the catalogue down; Enter searches the hub for them.</source>
        <translation>输入文字可缩小目录范围；按 Enter 在 Hub 上搜索。</translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>not supported</source>
        <translation>不支持</translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>on this computer</source>
        <translation>在这台电脑上</translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>owner:NAME and tag:NAME search by organisation and tag.</source>
        <translation>owner:NAME 和 tag:NAME 按组织和标签搜索。</translation>
    </message>
</context>
<context>
    <name>Dots</name>
    <message>
        <location filename="../../app/window/wizard/welcome.py"/>
        <source>Step %1 of %2</source>
        <translation>第 %1 步，共 %2 步</translation>
    </message>
</context>
<context>
    <name>DownloadRow</name>
    <message>
        <location filename="../../app/window/models/download_row.py"/>
        <source>%1: earlier</source>
        <translation>%1：提前</translation>
    </message>
    <message>
        <location filename="../../app/window/models/download_row.py"/>
        <source>%1: later</source>
        <translation>%1：推后</translation>
    </message>
    <message>
        <location filename="../../app/window/models/download_row.py"/>
        <source>Chat with %1</source>
        <translation>与 %1 对话</translation>
    </message>
    <message>
        <location filename="../../app/window/models/download_row.py"/>
        <source>Chat with it</source>
        <translation>与它对话</translation>
    </message>
    <message>
        <location filename="../../app/window/models/download_row.py"/>
        <source>Continue %1</source>
        <translation>继续 %1</translation>
    </message>
    <message>
        <location filename="../../app/window/models/download_row.py"/>
        <source>Earlier</source>
        <translation>提前</translation>
    </message>
    <message>
        <location filename="../../app/window/models/download_row.py"/>
        <source>Files of %1</source>
        <translation>%1 的文件</translation>
    </message>
    <message>
        <location filename="../../app/window/models/download_row.py"/>
        <source>Give up</source>
        <translation>放弃</translation>
    </message>
    <message>
        <location filename="../../app/window/models/download_row.py"/>
        <source>Give up %1</source>
        <translation>放弃 %1</translation>
    </message>
    <message>
        <location filename="../../app/window/models/download_row.py"/>
        <source>Hide the files of %1</source>
        <translation>隐藏 %1 的文件</translation>
    </message>
    <message>
        <location filename="../../app/window/models/download_row.py"/>
        <source>Later</source>
        <translation>推后</translation>
    </message>
    <message>
        <location filename="../../app/window/models/download_row.py"/>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <location filename="../../app/window/models/download_row.py"/>
        <source>Pause %1</source>
        <translation>暂停 %1</translation>
    </message>
    <message>
        <location filename="../../app/window/models/download_row.py"/>
        <source>Show the files</source>
        <translation>显示文件</translation>
    </message>
    <message>
        <location filename="../../app/window/models/download_row.py"/>
        <source>Show the files of %1</source>
        <translation>显示 %1 的文件</translation>
    </message>
    <message>
        <location filename="../../app/window/models/download_row.py"/>
        <source>Take %1 off the list</source>
        <translation>把 %1 移出列表</translation>
    </message>
</context>
<context>
    <name>DownloadsSection</name>
    <message>
        <location filename="../../app/window/models/downloads_section.py"/>
        <source>%1 that have arrived are deleted. Pausing keeps them.</source>
        <translation>已下载的 %1 会被删除。暂停则会保留。</translation>
    </message>
    <message>
        <location filename="../../app/window/models/downloads_section.py"/>
        <source>Downloads</source>
        <translation>下载</translation>
    </message>
    <message>
        <location filename="../../app/window/models/downloads_section.py"/>
        <source>Downloads (%1)</source>
        <translation>下载（%1）</translation>
    </message>
    <message>
        <location filename="../../app/window/models/downloads_section.py"/>
        <source>Give up</source>
        <translation>放弃</translation>
    </message>
    <message>
        <location filename="../../app/window/models/downloads_section.py"/>
        <source>Give up the download of %1?</source>
        <translation>放弃下载 %1？</translation>
    </message>
    <message>
        <location filename="../../app/window/models/downloads_section.py"/>
        <source>Keep</source>
        <translation>保留</translation>
    </message>
    <message>
        <location filename="../../app/window/models/downloads_section.py"/>
        <source>The files that have arrived are deleted. Pausing keeps them.</source>
        <translation>已下载的文件会被删除。暂停则会保留。</translation>
    </message>
</context>
<context>
    <name>EmptyHistory</name>
    <message>
        <location filename="../../app/window/speed_page.py"/>
        <source>Measure a model here, or run “ember bench” in a terminal: reports of both are kept on this page.</source>
        <translation>请在这里测量一个模型，或在终端中运行“ember bench”：两者的报告都保存在这一页。</translation>
    </message>
    <message>
        <location filename="../../app/window/speed_page.py"/>
        <source>Nothing has been measured yet</source>
        <translation>还没有测量</translation>
    </message>
</context>
<context>
    <name>EmptyState</name>
    <message>
        <location filename="../../app/window/empty_state.py"/>
        <source>Explain how rain forms, in simple words</source>
        <translation>用简单的话解释雨是怎样形成的</translation>
    </message>
    <message>
        <location filename="../../app/window/empty_state.py"/>
        <source>Give me three ideas for a weekend walk</source>
        <translation>给我三个周末散步的主意</translation>
    </message>
    <message>
        <location filename="../../app/window/empty_state.py"/>
        <source>New conversation</source>
        <translation>新对话</translation>
    </message>
    <message>
        <location filename="../../app/window/empty_state.py"/>
        <source>Suggestion: %1</source>
        <translation>建议：%1</translation>
    </message>
    <message>
        <location filename="../../app/window/empty_state.py"/>
        <source>Tell me a short story about a lighthouse</source>
        <translation>给我讲一个关于灯塔的小故事</translation>
    </message>
    <message>
        <location filename="../../app/window/empty_state.py"/>
        <source>What is on your mind?</source>
        <translation>在想什么？</translation>
    </message>
</context>
<context>
    <name>ErrorCard</name>
    <message>
        <location filename="../../app/window/error_card.py"/>
        <source>Details of the error</source>
        <translation>错误的详情</translation>
    </message>
    <message>
        <location filename="../../app/window/error_card.py"/>
        <source>Hide details</source>
        <translation>隐藏详情</translation>
    </message>
    <message>
        <location filename="../../app/window/error_card.py"/>
        <source>Show details</source>
        <translation>显示详情</translation>
    </message>
</context>
<context>
    <name>ExportDialog</name>
    <message>
        <location filename="../../app/window/chats/export_dialog.py"/>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/export_dialog.py"/>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/export_dialog.py"/>
        <source>Everything, with all versions and folders. Ember reads it back.</source>
        <translation>全部内容，包含所有版本和文件夹。Ember 可以重新读入。</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/export_dialog.py"/>
        <source>Export %1 conversations</source>
        <translation>导出 %1 个对话</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/export_dialog.py"/>
        <source>Export conversation</source>
        <translation>导出对话</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/export_dialog.py"/>
        <source>Exports of Ember, ChatGPT, Open WebUI, Jan (*.json *.jsonl)</source>
        <translation>Ember、ChatGPT、Open WebUI、Jan 的导出文件 (*.json *.jsonl)</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/export_dialog.py"/>
        <source>Import Jan’s folder of threads</source>
        <translation>导入 Jan 的对话文件夹</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/export_dialog.py"/>
        <source>Import conversations</source>
        <translation>导入对话</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/export_dialog.py"/>
        <source>JSON</source>
        <translation>JSON</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/export_dialog.py"/>
        <source>JSON lines</source>
        <translation>JSON 行</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/export_dialog.py"/>
        <source>Markdown</source>
        <translation>Markdown</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/export_dialog.py"/>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/export_dialog.py"/>
        <source>Several become a zip archive.</source>
        <translation>多个对话会存成 zip 压缩包。</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/export_dialog.py"/>
        <source>The messages shown, a conversation a line, as programs for training read it.</source>
        <translation>显示的消息，每行一个对话，供训练程序读取。</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/export_dialog.py"/>
        <source>The messages shown, as text to read and edit.</source>
        <translation>显示的消息，作为可读可改的文本。</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/export_dialog.py"/>
        <source>The messages shown, to look at and print in a browser.</source>
        <translation>显示的消息，可在浏览器中查看和打印。</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/export_dialog.py"/>
        <source>Web page</source>
        <translation>网页</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/export_dialog.py"/>
        <source>conversation</source>
        <translation>对话</translation>
    </message>
</context>
<context>
    <name>FileCard</name>
    <message>
        <location filename="../../app/window/transcript/file_cards.py"/>
        <source>Open %1, %2</source>
        <translation>打开 %1，%2</translation>
    </message>
</context>
<context>
    <name>FileDialog</name>
    <message>
        <location filename="../../app/window/file_dialog.py"/>
        <source>%1, %2 lines</source>
        <translation>%1，%2 行</translation>
    </message>
    <message>
        <location filename="../../app/window/file_dialog.py"/>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <location filename="../../app/window/file_dialog.py"/>
        <source>Put it into the message as text</source>
        <translation>作为文字放进消息</translation>
    </message>
    <message>
        <location filename="../../app/window/file_dialog.py"/>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <location filename="../../app/window/file_dialog.py"/>
        <source>Text of the file</source>
        <translation>文件的文本</translation>
    </message>
    <message>
        <location filename="../../app/window/file_dialog.py"/>
        <source>only the first %1 characters are shown</source>
        <translation>只显示前 %1 个字符</translation>
    </message>
</context>
<context>
    <name>FileList</name>
    <message>
        <location filename="../../app/window/models/file_list.py"/>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <location filename="../../app/window/models/file_list.py"/>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <location filename="../../app/window/models/file_list.py"/>
        <source>State</source>
        <translation>状态</translation>
    </message>
</context>
<context>
    <name>FilesCard</name>
    <message>
        <location filename="../../app/window/models/files_card.py"/>
        <source>Files of the repository</source>
        <translation>仓库的文件</translation>
    </message>
    <message>
        <location filename="../../app/window/models/files_card.py"/>
        <source>Hide the files</source>
        <translation>隐藏文件</translation>
    </message>
    <message>
        <location filename="../../app/window/models/files_card.py"/>
        <source>Open its page on the hub…</source>
        <translation>在 Hub 上打开它的页面…</translation>
    </message>
    <message>
        <location filename="../../app/window/models/files_card.py"/>
        <source>Show the files</source>
        <translation>显示文件</translation>
    </message>
    <message>
        <location filename="../../app/window/models/files_card.py"/>
        <source>What is fetched</source>
        <translation>要下载的内容</translation>
    </message>
    <message>
        <location filename="../../app/window/models/files_card.py"/>
        <source>is fetched</source>
        <translation>会下载</translation>
    </message>
</context>
<context>
    <name>FindBar</name>
    <message>
        <location filename="../../app/window/chats/find_bar.py"/>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/find_bar.py"/>
        <source>%1 of %2, and %3 in files</source>
        <translation>%1 / %2，文件中另有 %3 处</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/find_bar.py"/>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/find_bar.py"/>
        <source>Enter</source>
        <translation>Enter</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/find_bar.py"/>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/find_bar.py"/>
        <source>Find in this conversation</source>
        <translation>在这个对话中查找</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/find_bar.py"/>
        <source>Next place</source>
        <translation>下一处</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/find_bar.py"/>
        <source>Previous place</source>
        <translation>上一处</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/find_bar.py"/>
        <source>Shift+Enter</source>
        <translation>Shift+Enter</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/find_bar.py"/>
        <source>in files only: %3</source>
        <translation>仅在文件中：%3 处</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/find_bar.py"/>
        <source>not found</source>
        <translation>没有找到</translation>
    </message>
</context>
<context>
    <name>FitCard</name>
    <message>
        <location filename="../../app/window/models/fit_card.py"/>
        <source>4 and 8 bits per weight</source>
        <translation>每个权重 4 位和 8 位</translation>
    </message>
    <message>
        <location filename="../../app/window/models/fit_card.py"/>
        <source>4 bits per weight</source>
        <translation>每个权重 4 位</translation>
    </message>
    <message>
        <location filename="../../app/window/models/fit_card.py"/>
        <source>8 bits per weight</source>
        <translation>每个权重 8 位</translation>
    </message>
    <message>
        <location filename="../../app/window/models/fit_card.py"/>
        <source>Asking the hub…</source>
        <translation>正在询问 Hub…</translation>
    </message>
    <message>
        <location filename="../../app/window/models/fit_card.py"/>
        <source>Chat with it</source>
        <translation>与它对话</translation>
    </message>
    <message>
        <location filename="../../app/window/models/fit_card.py"/>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <location filename="../../app/window/models/fit_card.py"/>
        <source>Context of %1 tokens</source>
        <translation>上下文 %1 个词元</translation>
    </message>
    <message>
        <location filename="../../app/window/models/fit_card.py"/>
        <source>Download</source>
        <translation>下载</translation>
    </message>
    <message>
        <location filename="../../app/window/models/fit_card.py"/>
        <source>Download %1</source>
        <translation>下载 %1</translation>
    </message>
    <message>
        <location filename="../../app/window/models/fit_card.py"/>
        <source>Download %1 anyway</source>
        <translation>仍然下载 %1</translation>
    </message>
    <message>
        <location filename="../../app/window/models/fit_card.py"/>
        <source>Ember cannot run this model</source>
        <translation>Ember 不能运行这个模型</translation>
    </message>
    <message>
        <location filename="../../app/window/models/fit_card.py"/>
        <source>Folder for the model</source>
        <translation>模型的文件夹</translation>
    </message>
    <message>
        <location filename="../../app/window/models/fit_card.py"/>
        <source>Looking whether it fits…</source>
        <translation>正在查看是否适合…</translation>
    </message>
    <message>
        <location filename="../../app/window/models/fit_card.py"/>
        <source>Precision by model size</source>
        <translation>按模型大小选择精度</translation>
    </message>
    <message>
        <location filename="../../app/window/models/fit_card.py"/>
        <source>Precision once prepared</source>
        <translation>准备后的精度</translation>
    </message>
    <message>
        <location filename="../../app/window/models/fit_card.py"/>
        <source>Reading what the model is</source>
        <translation>正在读取模型的信息</translation>
    </message>
    <message>
        <location filename="../../app/window/models/fit_card.py"/>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <location filename="../../app/window/models/fit_card.py"/>
        <source>Usual context</source>
        <translation>常用上下文</translation>
    </message>
    <message>
        <location filename="../../app/window/models/fit_card.py"/>
        <source>Whether it fits</source>
        <translation>是否适合</translation>
    </message>
    <message>
        <location filename="../../app/window/models/fit_card.py"/>
        <source>Whether it fits is not known yet</source>
        <translation>还不知道是否适合</translation>
    </message>
</context>
<context>
    <name>FolderStep</name>
    <message>
        <location filename="../../app/window/wizard/steps.py"/>
        <source>%1 are free there.</source>
        <translation>那里空闲 %1。</translation>
    </message>
    <message>
        <location filename="../../app/window/wizard/steps.py"/>
        <source>A folder for models</source>
        <translation>模型的文件夹</translation>
    </message>
    <message>
        <location filename="../../app/window/wizard/steps.py"/>
        <source>Another folder…</source>
        <translation>其他文件夹…</translation>
    </message>
    <message>
        <location filename="../../app/window/wizard/steps.py"/>
        <source>How much is free there cannot be said.</source>
        <translation>无法得知那里还有多少空闲空间。</translation>
    </message>
    <message>
        <location filename="../../app/window/wizard/steps.py"/>
        <source>Keep models in another folder</source>
        <translation>把模型存放在其他文件夹</translation>
    </message>
    <message>
        <location filename="../../app/window/wizard/steps.py"/>
        <source>Models are large: from a few hundred megabytes to many gigabytes. Any drive will do.</source>
        <translation>模型很大：从几百 MB 到许多 GB。任何磁盘都可以。</translation>
    </message>
    <message>
        <location filename="../../app/window/wizard/steps.py"/>
        <source>Where shall models be kept?</source>
        <translation>模型存放在哪里？</translation>
    </message>
</context>
<context>
    <name>FormulaView</name>
    <message>
        <location filename="../../app/window/transcript/formula_view.py"/>
        <source>Formula: %1</source>
        <translation>公式：%1</translation>
    </message>
</context>
<context>
    <name>GateCard</name>
    <message>
        <location filename="../../app/window/models/gate_card.py"/>
        <source>A token for %1 is kept; another one takes its place.</source>
        <translation>已保存 %1 的令牌；新的令牌会替换它。</translation>
    </message>
    <message>
        <location filename="../../app/window/models/gate_card.py"/>
        <source>Access</source>
        <translation>访问</translation>
    </message>
    <message>
        <location filename="../../app/window/models/gate_card.py"/>
        <source>Access token</source>
        <translation>访问令牌</translation>
    </message>
    <message>
        <location filename="../../app/window/models/gate_card.py"/>
        <source>Access token of the hub</source>
        <translation>Hub 的访问令牌</translation>
    </message>
    <message>
        <location filename="../../app/window/models/gate_card.py"/>
        <source>It is kept in the system's keyring and sent to %1 only.</source>
        <translation>它保存在系统的密钥环中，只发送给 %1。</translation>
    </message>
    <message>
        <location filename="../../app/window/models/gate_card.py"/>
        <source>Keep the token</source>
        <translation>保存令牌</translation>
    </message>
    <message>
        <location filename="../../app/window/models/gate_card.py"/>
        <source>Open the page with the terms…</source>
        <translation>打开条款页面…</translation>
    </message>
    <message>
        <location filename="../../app/window/models/gate_card.py"/>
        <source>The token that is kept does not open this model yet.</source>
        <translation>保存的令牌还不能打开这个模型。</translation>
    </message>
</context>
<context>
    <name>HeatCard</name>
    <message>
        <location filename="../../app/window/device/heat_map.py"/>
        <source>%1 layers, each in %2 buckets of neurons.</source>
        <translation>%1 层，每层 %2 个神经元分桶。</translation>
    </message>
    <message>
        <location filename="../../app/window/device/heat_map.py"/>
        <source>A picture of the model's neurons: a row for each layer, and which of them fire while an answer is written. It appears with the next answer.</source>
        <translation>模型神经元的图像：每层一行，显示写回答时哪些神经元激活。它会随下一个回答出现。</translation>
    </message>
    <message>
        <location filename="../../app/window/device/heat_map.py"/>
        <source>Live, one token several times a second.</source>
        <translation>实时，每秒几次各取一个词元。</translation>
    </message>
    <message>
        <location filename="../../app/window/device/heat_map.py"/>
        <source>Neurons as they fire</source>
        <translation>激活中的神经元</translation>
    </message>
    <message>
        <location filename="../../app/window/device/heat_map.py"/>
        <source>No picture is to be had: %1</source>
        <translation>没有图像：%1</translation>
    </message>
    <message>
        <location filename="../../app/window/device/heat_map.py"/>
        <source>The last token that was looked at.</source>
        <translation>最后查看的词元。</translation>
    </message>
</context>
<context>
    <name>HeatLegend</name>
    <message>
        <location filename="../../app/window/device/heat_map.py"/>
        <source>Colours: %1; the stronger, the more of a bucket's neurons fired</source>
        <translation>颜色：%1；越深表示分桶中激活的神经元越多</translation>
    </message>
    <message>
        <location filename="../../app/window/device/heat_map.py"/>
        <source>cold, on the processor</source>
        <translation>冷，在处理器上</translation>
    </message>
    <message>
        <location filename="../../app/window/device/heat_map.py"/>
        <source>hot, on the card</source>
        <translation>热，在显卡上</translation>
    </message>
    <message>
        <location filename="../../app/window/device/heat_map.py"/>
        <source>silent to all fired</source>
        <translation>从静默到全部激活</translation>
    </message>
</context>
<context>
    <name>HeatMap</name>
    <message>
        <location filename="../../app/window/device/heat_map.py"/>
        <source>%1 fired</source>
        <translation>%1 激活</translation>
    </message>
    <message>
        <location filename="../../app/window/device/heat_map.py"/>
        <source>%1 of it on the card</source>
        <translation>其中 %1 在显卡上</translation>
    </message>
    <message>
        <location filename="../../app/window/device/heat_map.py"/>
        <source>Neurons by layer and bucket, as they fire</source>
        <translation>按层和分桶显示激活的神经元</translation>
    </message>
    <message>
        <location filename="../../app/window/device/heat_map.py"/>
        <source>fire most often</source>
        <translation>最常激活</translation>
    </message>
    <message>
        <location filename="../../app/window/device/heat_map.py"/>
        <source>first neurons of a layer</source>
        <translation>一层的前面几个神经元</translation>
    </message>
    <message>
        <location filename="../../app/window/device/heat_map.py"/>
        <source>last</source>
        <translation>后面</translation>
    </message>
    <message>
        <location filename="../../app/window/device/heat_map.py"/>
        <source>layer</source>
        <translation>层</translation>
    </message>
    <message>
        <location filename="../../app/window/device/heat_map.py"/>
        <source>layer %1, bucket %2 of %3</source>
        <translation>第 %1 层，第 %2 个分桶，共 %3 个</translation>
    </message>
    <message>
        <location filename="../../app/window/device/heat_map.py"/>
        <source>least often</source>
        <translation>最少激活</translation>
    </message>
    <message>
        <location filename="../../app/window/device/heat_map.py"/>
        <source>on the card</source>
        <translation>在显卡上</translation>
    </message>
    <message>
        <location filename="../../app/window/device/heat_map.py"/>
        <source>on the processor</source>
        <translation>在处理器上</translation>
    </message>
</context>
<context>
    <name>HitDelegate</name>
    <message>
        <location filename="../../app/window/chats/search_results.py"/>
        <source>Untitled</source>
        <translation>无标题</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/search_results.py"/>
        <source>in the title</source>
        <translation>在标题中</translation>
    </message>
</context>
<context>
    <name>ImportCard</name>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>%1 was not imported</source>
        <translation>没有导入 %1</translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>Importing %1</source>
        <translation>正在导入 %1</translation>
    </message>
</context>
<context>
    <name>LanguageStep</name>
    <message>
        <location filename="../../app/window/wizard/steps.py"/>
        <source>Chat with language models on this computer. Which language shall the window speak?</source>
        <translation>在这台电脑上与语言模型对话。窗口使用哪种语言？</translation>
    </message>
    <message>
        <location filename="../../app/window/wizard/steps.py"/>
        <source>Welcome to Ember</source>
        <translation>欢迎使用 Ember</translation>
    </message>
</context>
<context>
    <name>LearningChoice</name>
    <message>
        <location filename="../../app/window/neurons/learning_choice.py"/>
        <source>Adds up how often each neuron was active in answers, never what was written. The counts lie in the model library, beside the model, and go nowhere else.</source>
        <translation>累计每个神经元在回答中活跃的次数，从不记录写了什么。计数保存在模型库中的模型旁边，不会去别的地方。</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/learning_choice.py"/>
        <source>Delete what was counted (%1 tokens)</source>
        <translation>删除已累计的计数（%1 个词元）</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/learning_choice.py"/>
        <source>Learn from my chats which neurons are used (kept on this computer)</source>
        <translation>从我的对话中学习用到哪些神经元（只保存在这台电脑上）</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/learning_choice.py"/>
        <source>Open the folder where the counts are kept</source>
        <translation>打开保存计数的文件夹</translation>
    </message>
</context>
<context>
    <name>LibrarySection</name>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>%1 of memory</source>
        <translation>内存 %1</translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>4 and 8 bits per weight</source>
        <translation>每个权重 4 位和 8 位</translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>4 bits per weight</source>
        <translation>每个权重 4 位</translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>4 bits take half the memory and lose a little; 4 and 8 bits keep more where it matters.</source>
        <translation>4 位占一半内存，损失一点；4 位和 8 位在重要处保留更多。</translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>8 bits per weight</source>
        <translation>每个权重 8 位</translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>A folder with config.json and safetensors files.</source>
        <translation>包含 config.json 和 safetensors 文件的文件夹。</translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>Asking the hub for updates…</source>
        <translation>正在向 Hub 询问更新…</translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>By model size: 8 bits, and 4 and 8 bits from a billion weights.</source>
        <translation>按模型大小：8 位；十亿权重以上为 4 位和 8 位。</translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>Check for updates</source>
        <translation>检查更新</translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>Check for updates (%1 could not be asked for)</source>
        <translation>检查更新（%1 个无法询问）</translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>Check for updates (%1 found)</source>
        <translation>检查更新（找到 %1 个）</translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>Check for updates (all are the newest)</source>
        <translation>检查更新（都是最新的）</translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>Discover models</source>
        <translation>发现模型</translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>Discover shows models with sparse activations and says, before anything is downloaded, whether one fits this computer. A GGUF file or a model's folder can be imported as well.</source>
        <translation>“发现”页展示稀疏激活的模型，并在下载之前说明它是否适合这台电脑。也可以导入 GGUF 文件或模型文件夹。</translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>Drop .gguf files or a model's folder anywhere on this window; they stay where they are.</source>
        <translation>把 .gguf 文件或模型文件夹拖到这个窗口的任何位置；它们留在原处。</translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>Ember is offline</source>
        <translation>Ember 处于离线状态</translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>From %1, commit %2</source>
        <translation>来自 %1，提交 %2</translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>From the file or folder %1</source>
        <translation>来自文件或文件夹 %1</translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>How precisely an imported model's weights are kept.</source>
        <translation>导入的模型以多高的精度保存权重。</translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>Import GGUF…</source>
        <translation>导入 GGUF…</translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>Import a GGUF file</source>
        <translation>导入 GGUF 文件</translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>Import a folder…</source>
        <translation>导入文件夹…</translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>Import a model's folder</source>
        <translation>导入模型文件夹</translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>In %1, which is not connected. It is here again once its drive is.</source>
        <translation>在 %1 中，它没有连接。磁盘连接后它会回来。</translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>Its newer version is here, and takes its place once this one is not loaded.</source>
        <translation>它的新版本已在这里，等这个版本不再加载时替换它。</translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>Loaded: %1</source>
        <translation>已加载：%1</translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>Models of other programs…</source>
        <translation>其他程序的模型…</translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>Moving to another folder: %1 of %2</source>
        <translation>正在移到其他文件夹：%1 / %2</translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>Moving to another folder…</source>
        <translation>正在移到其他文件夹…</translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>No model is on this computer yet</source>
        <translation>这台电脑上还没有模型</translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>Open the library's folder</source>
        <translation>打开模型库的文件夹</translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>Precision by model size</source>
        <translation>按模型大小选择精度</translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>Reading the library…</source>
        <translation>正在读取模型库…</translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>There is a newer commit on the hub (%1).</source>
        <translation>Hub 上有更新的提交（%1）。</translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>Trash</source>
        <translation>回收站</translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>Weight format of imported models</source>
        <translation>导入模型的权重格式</translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>reads up to %1 tokens</source>
        <translation>最多读取 %1 个词元</translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>threads: %1</source>
        <translation>线程：%1</translation>
    </message>
</context>
<context>
    <name>LineChart</name>
    <message>
        <location filename="../../app/window/speed_charts.py"/>
        <source>Decoding over time: %1</source>
        <translation>解码速度随时间变化：%1</translation>
    </message>
</context>
<context>
    <name>LogsPage</name>
    <message numerus="yes">
        <location filename="../../app/window/logs_page.py"/>
        <source>%n line(s)</source>
        <translation>
            <numerusform>%n 行</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../../app/window/logs_page.py"/>
        <source>Back</source>
        <translation>返回</translation>
    </message>
    <message>
        <location filename="../../app/window/logs_page.py"/>
        <source>Copy diagnostics…</source>
        <translation>复制诊断信息…</translation>
    </message>
    <message>
        <location filename="../../app/window/logs_page.py"/>
        <source>Copy the lines shown</source>
        <translation>复制显示的行</translation>
    </message>
    <message>
        <location filename="../../app/window/logs_page.py"/>
        <source>Errors only</source>
        <translation>仅错误</translation>
    </message>
    <message>
        <location filename="../../app/window/logs_page.py"/>
        <source>Everything</source>
        <translation>全部</translation>
    </message>
    <message>
        <location filename="../../app/window/logs_page.py"/>
        <source>Follow</source>
        <translation>跟随</translation>
    </message>
    <message>
        <location filename="../../app/window/logs_page.py"/>
        <source>Follow: keep the newest lines in sight</source>
        <translation>跟随：始终显示最新的行</translation>
    </message>
    <message>
        <location filename="../../app/window/logs_page.py"/>
        <source>From notes</source>
        <translation>提示及以上</translation>
    </message>
    <message>
        <location filename="../../app/window/logs_page.py"/>
        <source>From warnings</source>
        <translation>警告及以上</translation>
    </message>
    <message>
        <location filename="../../app/window/logs_page.py"/>
        <source>Least level shown</source>
        <translation>显示的最低级别</translation>
    </message>
    <message>
        <location filename="../../app/window/logs_page.py"/>
        <source>Lines of the logs</source>
        <translation>日志的行</translation>
    </message>
    <message>
        <location filename="../../app/window/logs_page.py"/>
        <source>Logs</source>
        <translation>日志</translation>
    </message>
    <message>
        <location filename="../../app/window/logs_page.py"/>
        <source>No line matches</source>
        <translation>没有匹配的行</translation>
    </message>
    <message>
        <location filename="../../app/window/logs_page.py"/>
        <source>Nothing has been written to %1 yet</source>
        <translation>还没有写入 %1</translation>
    </message>
    <message>
        <location filename="../../app/window/logs_page.py"/>
        <source>Open the folder of the logs</source>
        <translation>打开日志文件夹</translation>
    </message>
    <message>
        <location filename="../../app/window/logs_page.py"/>
        <source>Search the logs</source>
        <translation>搜索日志</translation>
    </message>
    <message>
        <location filename="../../app/window/logs_page.py"/>
        <source>What window and engine wrote down. What you write and what models answer is not in it.</source>
        <translation>窗口和引擎写下的记录。您写的内容和模型的回答不在其中。</translation>
    </message>
</context>
<context>
    <name>LookStep</name>
    <message>
        <location filename="../../app/window/wizard/steps.py"/>
        <source>Accent</source>
        <translation>强调色</translation>
    </message>
    <message>
        <location filename="../../app/window/wizard/steps.py"/>
        <source>Both can be changed in the settings at any time.</source>
        <translation>两者都可以随时在设置中更改。</translation>
    </message>
    <message>
        <location filename="../../app/window/wizard/steps.py"/>
        <source>How shall it look?</source>
        <translation>想要什么外观？</translation>
    </message>
</context>
<context>
    <name>MachineCard</name>
    <message>
        <location filename="../../app/window/device/machine_card.py"/>
        <source>%1 cores</source>
        <translation>%1 个核心</translation>
    </message>
    <message>
        <location filename="../../app/window/device/machine_card.py"/>
        <source>%1 of memory, %2 free</source>
        <translation>内存 %1，空闲 %2</translation>
    </message>
    <message>
        <location filename="../../app/window/device/machine_card.py"/>
        <source>%1 of them usable</source>
        <translation>其中 %1 个可用</translation>
    </message>
    <message>
        <location filename="../../app/window/device/machine_card.py"/>
        <source>1 core</source>
        <translation>1 个核心</translation>
    </message>
    <message>
        <location filename="../../app/window/device/machine_card.py"/>
        <source>Begins once the answer that is being written is finished.</source>
        <translation>正在写的回答完成后开始。</translation>
    </message>
    <message>
        <location filename="../../app/window/device/machine_card.py"/>
        <source>Fastest with %1 threads: %2</source>
        <translation>%1 个线程时最快：%2</translation>
    </message>
    <message>
        <location filename="../../app/window/device/machine_card.py"/>
        <source>Measure</source>
        <translation>测量</translation>
    </message>
    <message>
        <location filename="../../app/window/device/machine_card.py"/>
        <source>Measure the speeds of this computer</source>
        <translation>测量这台电脑的速度</translation>
    </message>
    <message>
        <location filename="../../app/window/device/machine_card.py"/>
        <source>Messages that you send meanwhile wait until this is done.</source>
        <translation>您在此期间发送的消息会等到测量完成。</translation>
    </message>
    <message>
        <location filename="../../app/window/device/machine_card.py"/>
        <source>Speeds of this computer</source>
        <translation>这台电脑的速度</translation>
    </message>
    <message>
        <location filename="../../app/window/device/machine_card.py"/>
        <source>from the card</source>
        <translation>从显卡传回</translation>
    </message>
    <message>
        <location filename="../../app/window/device/machine_card.py"/>
        <source>the card's memory, read</source>
        <translation>显存，读取</translation>
    </message>
    <message>
        <location filename="../../app/window/device/machine_card.py"/>
        <source>there and back, a short vector</source>
        <translation>往返，短向量</translation>
    </message>
    <message>
        <location filename="../../app/window/device/machine_card.py"/>
        <source>to the card</source>
        <translation>传到显卡</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <location filename="../../app/window/bar_words.py"/>
        <source>%1 of the neurons’ work is on the card</source>
        <translation>神经元工作量的 %1 在显卡上</translation>
    </message>
    <message numerus="yes">
        <location filename="../../app/window/main_window.py"/>
        <source>%n line(s) copied</source>
        <translation>
            <numerusform>已复制 %n 行</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../../app/window/main_window.py"/>
        <source>Answer settings</source>
        <translation>回答设置</translation>
    </message>
    <message>
        <location filename="../../app/window/bar_words.py"/>
        <source>Demonstration</source>
        <translation>演示</translation>
    </message>
    <message>
        <location filename="../../app/window/main_window.py"/>
        <source>Everything that can be chosen</source>
        <translation>所有可以选择的内容</translation>
    </message>
    <message>
        <location filename="../../app/window/main_window.py"/>
        <source>How fast models run here</source>
        <translation>模型在这里运行得多快</translation>
    </message>
    <message>
        <location filename="../../app/window/main_window.py"/>
        <source>Licence of %1</source>
        <translation>%1 的许可证</translation>
    </message>
    <message>
        <location filename="../../app/window/main_window.py"/>
        <source>New chat</source>
        <translation>新对话</translation>
    </message>
    <message>
        <location filename="../../app/window/main_window.py"/>
        <source>Show or hide the list of conversations</source>
        <translation>显示或隐藏对话列表</translation>
    </message>
    <message>
        <location filename="../../app/window/main_window.py"/>
        <source>The last answer has been copied</source>
        <translation>已复制上一个回答</translation>
    </message>
    <message>
        <location filename="../../app/window/main_window.py"/>
        <source>What computes your answers, and how much of the card it takes</source>
        <translation>什么在计算您的回答，占用多少显卡</translation>
    </message>
    <message>
        <location filename="../../app/window/main_window.py"/>
        <source>Which neurons of a model are at work</source>
        <translation>模型的哪些神经元在工作</translation>
    </message>
    <message>
        <location filename="../../app/window/bar_words.py"/>
        <source>card %1</source>
        <translation>显卡 %1</translation>
    </message>
</context>
<context>
    <name>MeasureCard</name>
    <message>
        <location filename="../../app/window/speed_page.py"/>
        <source>Measuring %1</source>
        <translation>正在测量 %1</translation>
    </message>
    <message>
        <location filename="../../app/window/speed_page.py"/>
        <source>Stopping…</source>
        <translation>正在停止…</translation>
    </message>
</context>
<context>
    <name>MemoryBar</name>
    <message>
        <location filename="../../app/window/device/memory_bar.py"/>
        <source>Memory of the card: %1</source>
        <translation>显存：%1</translation>
    </message>
</context>
<context>
    <name>MemoryLegend</name>
    <message>
        <location filename="../../app/window/device/memory_bar.py"/>
        <source>Of %1: %2</source>
        <translation>共 %1：%2</translation>
    </message>
</context>
<context>
    <name>MemoryWords</name>
    <message>
        <location filename="../../app/window/memory_words.py"/>
        <source>%1 are free for it, so little is left for other programs.</source>
        <translation>可用 %1，留给其他程序的很少。</translation>
    </message>
    <message>
        <location filename="../../app/window/memory_words.py"/>
        <source>%1 are free for it.</source>
        <translation>可用 %1。</translation>
    </message>
    <message>
        <location filename="../../app/window/memory_words.py"/>
        <source>Only %1 are free, %2 too few: it would be read from the disk while it answers, slowly.</source>
        <translation>只有 %1 可用，缺 %2：回答时会从磁盘读取，速度慢。</translation>
    </message>
    <message>
        <location filename="../../app/window/memory_words.py"/>
        <source>Only %1 are free: it cannot be loaded. Close other programs; %2 are missing.</source>
        <translation>只有 %1 可用：无法加载。请关闭其他程序；还缺 %2。</translation>
    </message>
    <message>
        <location filename="../../app/window/memory_words.py"/>
        <source>Takes about %1 of memory: %2 weights, %3 for a context of %4 tokens, %5 to work in.</source>
        <translation>约占内存 %1：权重 %2，%4 个词元的上下文 %3，工作区 %5。</translation>
    </message>
    <message>
        <location filename="../../app/window/memory_words.py"/>
        <source>estimated %1, takes %2</source>
        <translation>估计 %1，实际 %2</translation>
    </message>
</context>
<context>
    <name>MessageColumn</name>
    <message>
        <location filename="../../app/window/transcript/message_column.py"/>
        <source>Messages</source>
        <translation>消息</translation>
    </message>
</context>
<context>
    <name>MessageEditor</name>
    <message>
        <location filename="../../app/window/transcript/message_editor.py"/>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <location filename="../../app/window/transcript/message_editor.py"/>
        <source>Edit your message</source>
        <translation>编辑您的消息</translation>
    </message>
    <message>
        <location filename="../../app/window/transcript/message_editor.py"/>
        <source>Send</source>
        <translation>发送</translation>
    </message>
    <message>
        <location filename="../../app/window/transcript/message_editor.py"/>
        <source>What followed stays as another version.</source>
        <translation>后面的内容会保留为另一个版本。</translation>
    </message>
</context>
<context>
    <name>MessageView</name>
    <message>
        <location filename="../../app/window/transcript/message_view.py"/>
        <source>Copy as plain text</source>
        <translation>复制为纯文本</translation>
    </message>
    <message>
        <location filename="../../app/window/transcript/message_view.py"/>
        <source>Copy message</source>
        <translation>复制消息</translation>
    </message>
    <message>
        <location filename="../../app/window/transcript/message_view.py"/>
        <source>Delete this message</source>
        <translation>删除这条消息</translation>
    </message>
    <message>
        <location filename="../../app/window/transcript/message_view.py"/>
        <source>Delete this version</source>
        <translation>删除这个版本</translation>
    </message>
    <message>
        <location filename="../../app/window/transcript/message_view.py"/>
        <source>Go on from here in a new chat</source>
        <translation>从这里另开新对话</translation>
    </message>
</context>
<context>
    <name>ModelButton</name>
    <message>
        <location filename="../../app/window/sidebar.py"/>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <location filename="../../app/window/sidebar.py"/>
        <source>Models. %1, %2</source>
        <translation>模型。%1，%2</translation>
    </message>
</context>
<context>
    <name>ModelCard</name>
    <message>
        <location filename="../../app/window/model_card.py"/>
        <source>A base model: it continues text and was not taught to hold a conversation.</source>
        <translation>基座模型：它续写文本，没有学过对话。</translation>
    </message>
    <message>
        <location filename="../../app/window/model_card.py"/>
        <source>A small English starter model, weak at reasoning and arithmetic, %1.</source>
        <translation>一个小型英语入门模型，推理和算术较弱，%1。</translation>
    </message>
    <message>
        <location filename="../../app/window/model_card.py"/>
        <source>Card and licence</source>
        <translation>模型卡片与许可证</translation>
    </message>
    <message>
        <location filename="../../app/window/model_card.py"/>
        <source>Card and licence of %1</source>
        <translation>%1 的模型卡片与许可证</translation>
    </message>
    <message>
        <location filename="../../app/window/model_card.py"/>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <location filename="../../app/window/model_card.py"/>
        <source>Fetch the update</source>
        <translation>获取更新</translation>
    </message>
    <message>
        <location filename="../../app/window/model_card.py"/>
        <source>Fetch the update of %1</source>
        <translation>获取 %1 的更新</translation>
    </message>
    <message>
        <location filename="../../app/window/model_card.py"/>
        <source>It is there to try Ember with.</source>
        <translation>它用于试用 Ember。</translation>
    </message>
    <message>
        <location filename="../../app/window/model_card.py"/>
        <source>Load</source>
        <translation>加载</translation>
    </message>
    <message>
        <location filename="../../app/window/model_card.py"/>
        <source>Load %1</source>
        <translation>加载 %1</translation>
    </message>
    <message>
        <location filename="../../app/window/model_card.py"/>
        <source>Loaded</source>
        <translation>已加载</translation>
    </message>
    <message>
        <location filename="../../app/window/model_card.py"/>
        <source>Move %1 to another folder</source>
        <translation>把 %1 移到其他文件夹</translation>
    </message>
    <message>
        <location filename="../../app/window/model_card.py"/>
        <source>Move %1 to the trash</source>
        <translation>把 %1 移到回收站</translation>
    </message>
    <message>
        <location filename="../../app/window/model_card.py"/>
        <source>Move to</source>
        <translation>移动到</translation>
    </message>
    <message>
        <location filename="../../app/window/model_card.py"/>
        <source>Move to the trash</source>
        <translation>移到回收站</translation>
    </message>
    <message>
        <location filename="../../app/window/model_card.py"/>
        <source>Read the licence</source>
        <translation>阅读许可证</translation>
    </message>
    <message>
        <location filename="../../app/window/model_card.py"/>
        <source>context of %1 tokens</source>
        <translation>上下文 %1 个词元</translation>
    </message>
</context>
<context>
    <name>ModelChip</name>
    <message>
        <location filename="../../app/window/top_bar.py"/>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <location filename="../../app/window/top_bar.py"/>
        <source>Model: %1, %2</source>
        <translation>模型：%1，%2</translation>
    </message>
</context>
<context>
    <name>ModelPicker</name>
    <message>
        <location filename="../../app/window/model_picker.py"/>
        <source>All models…</source>
        <translation>所有模型…</translation>
    </message>
    <message>
        <location filename="../../app/window/model_picker.py"/>
        <source>Choose a model</source>
        <translation>选择模型</translation>
    </message>
    <message>
        <location filename="../../app/window/model_picker.py"/>
        <source>Find a model</source>
        <translation>查找模型</translation>
    </message>
    <message>
        <location filename="../../app/window/model_picker.py"/>
        <source>Load</source>
        <translation>加载</translation>
    </message>
    <message>
        <location filename="../../app/window/model_picker.py"/>
        <source>Load instead</source>
        <translation>改为加载</translation>
    </message>
    <message>
        <location filename="../../app/window/model_picker.py"/>
        <source>Models on this computer</source>
        <translation>这台电脑上的模型</translation>
    </message>
    <message>
        <location filename="../../app/window/model_picker.py"/>
        <source>No model is on this computer yet.</source>
        <translation>这台电脑上还没有模型。</translation>
    </message>
    <message>
        <location filename="../../app/window/model_picker.py"/>
        <source>No model on this computer is called so.</source>
        <translation>这台电脑上没有这个名称的模型。</translation>
    </message>
    <message>
        <location filename="../../app/window/model_picker.py"/>
        <source>Reckoning what it takes of memory…</source>
        <translation>正在计算它占用的内存…</translation>
    </message>
    <message>
        <location filename="../../app/window/model_picker.py"/>
        <source>Type to find a model</source>
        <translation>输入以查找模型</translation>
    </message>
    <message>
        <location filename="../../app/window/model_picker.py"/>
        <source>Unload</source>
        <translation>卸载</translation>
    </message>
    <message>
        <location filename="../../app/window/model_picker.py"/>
        <source>What it takes of memory is reckoned once the engine is free.</source>
        <translation>引擎空闲后计算它占用的内存。</translation>
    </message>
    <message>
        <location filename="../../app/window/model_picker.py"/>
        <source>answering</source>
        <translation>正在回答</translation>
    </message>
    <message>
        <location filename="../../app/window/model_picker.py"/>
        <source>asleep: the next message loads it</source>
        <translation>休眠：下一条消息会加载它</translation>
    </message>
    <message>
        <location filename="../../app/window/model_picker.py"/>
        <source>busy: it is being measured</source>
        <translation>忙：正在测量</translation>
    </message>
    <message>
        <location filename="../../app/window/model_picker.py"/>
        <source>loaded</source>
        <translation>已加载</translation>
    </message>
    <message>
        <location filename="../../app/window/model_picker.py"/>
        <source>loading…</source>
        <translation>正在加载…</translation>
    </message>
    <message>
        <location filename="../../app/window/model_picker.py"/>
        <source>not prepared yet</source>
        <translation>尚未准备</translation>
    </message>
    <message>
        <location filename="../../app/window/model_picker.py"/>
        <source>on disk</source>
        <translation>在磁盘上</translation>
    </message>
</context>
<context>
    <name>ModelStep</name>
    <message>
        <location filename="../../app/window/wizard/steps.py"/>
        <source>A model to begin with</source>
        <translation>先用这个模型</translation>
    </message>
    <message>
        <location filename="../../app/window/wizard/steps.py"/>
        <source>It came with Ember and works without a network.</source>
        <translation>它随 Ember 提供，无需网络即可使用。</translation>
    </message>
    <message>
        <location filename="../../app/window/wizard/steps.py"/>
        <source>Loaded and ready</source>
        <translation>已加载，就绪</translation>
    </message>
    <message>
        <location filename="../../app/window/wizard/steps.py"/>
        <source>Look for larger models</source>
        <translation>查找更大的模型</translation>
    </message>
    <message>
        <location filename="../../app/window/wizard/steps.py"/>
        <source>Look for one on the models page, or import a file you have.</source>
        <translation>请在“模型”页查找一个，或导入您已有的文件。</translation>
    </message>
    <message>
        <location filename="../../app/window/wizard/steps.py"/>
        <source>No model is here yet</source>
        <translation>这里还没有模型</translation>
    </message>
    <message>
        <location filename="../../app/window/wizard/steps.py"/>
        <source>On this computer</source>
        <translation>这台电脑上</translation>
    </message>
</context>
<context>
    <name>ModelWords</name>
    <message>
        <location filename="../../app/window/model_words.py"/>
        <source>Ember</source>
        <translation>Ember</translation>
    </message>
    <message>
        <location filename="../../app/window/model_words.py"/>
        <source>No model</source>
        <translation>没有模型</translation>
    </message>
    <message>
        <location filename="../../app/window/model_words.py"/>
        <source>asleep until the next message</source>
        <translation>休眠到下一条消息</translation>
    </message>
    <message>
        <location filename="../../app/window/model_words.py"/>
        <source>completes text</source>
        <translation>续写文本</translation>
    </message>
    <message>
        <location filename="../../app/window/model_words.py"/>
        <source>loading…</source>
        <translation>正在加载…</translation>
    </message>
    <message>
        <location filename="../../app/window/model_words.py"/>
        <source>none is loaded</source>
        <translation>没有加载</translation>
    </message>
    <message>
        <location filename="../../app/window/model_words.py"/>
        <source>pauses while neurons are studied</source>
        <translation>研究神经元期间暂停</translation>
    </message>
    <message>
        <location filename="../../app/window/model_words.py"/>
        <source>pauses while speed is measured</source>
        <translation>测量速度期间暂停</translation>
    </message>
    <message>
        <location filename="../../app/window/model_words.py"/>
        <source>ready</source>
        <translation>就绪</translation>
    </message>
    <message>
        <location filename="../../app/window/model_words.py"/>
        <source>the engine has stopped</source>
        <translation>引擎已停止</translation>
    </message>
    <message>
        <location filename="../../app/window/model_words.py"/>
        <source>the engine is starting…</source>
        <translation>引擎正在启动…</translation>
    </message>
</context>
<context>
    <name>ModelsPage</name>
    <message>
        <location filename="../../app/window/models_page.py"/>
        <source>%1 are free again</source>
        <translation>又释放了 %1</translation>
    </message>
    <message>
        <location filename="../../app/window/models_page.py"/>
        <source>%1 is in %2 now</source>
        <translation>%1 现在位于 %2</translation>
    </message>
    <message>
        <location filename="../../app/window/models_page.py"/>
        <source>%1 is in the library again</source>
        <translation>%1 回到了模型库</translation>
    </message>
    <message>
        <location filename="../../app/window/models_page.py"/>
        <source>%1 is in the library; %2 were copied</source>
        <translation>%1 已在模型库中；复制了 %2</translation>
    </message>
    <message>
        <location filename="../../app/window/models_page.py"/>
        <source>%1 is in the library; it took no further room</source>
        <translation>%1 已在模型库中；没有再占用空间</translation>
    </message>
    <message>
        <location filename="../../app/window/models_page.py"/>
        <source>%1 is in the trash; emptying it frees %2</source>
        <translation>%1 在回收站中；清空后释放 %2</translation>
    </message>
    <message>
        <location filename="../../app/window/models_page.py"/>
        <source>%1 is ready</source>
        <translation>%1 已就绪</translation>
    </message>
    <message>
        <location filename="../../app/window/models_page.py"/>
        <source>%1 was given up</source>
        <translation>已放弃 %1</translation>
    </message>
    <message>
        <location filename="../../app/window/models_page.py"/>
        <source>%1 was given up, %2 are free again</source>
        <translation>已放弃 %1，释放了 %2</translation>
    </message>
    <message>
        <location filename="../../app/window/models_page.py"/>
        <source>Back to the conversation</source>
        <translation>返回对话</translation>
    </message>
    <message>
        <location filename="../../app/window/models_page.py"/>
        <source>Chat with it</source>
        <translation>与它对话</translation>
    </message>
    <message>
        <location filename="../../app/window/models_page.py"/>
        <source>Discover</source>
        <translation>发现</translation>
    </message>
    <message>
        <location filename="../../app/window/models_page.py"/>
        <source>Hub and library</source>
        <translation>Hub 与模型库</translation>
    </message>
    <message>
        <location filename="../../app/window/models_page.py"/>
        <source>Hub and library…</source>
        <translation>Hub 与模型库…</translation>
    </message>
    <message>
        <location filename="../../app/window/models_page.py"/>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <location filename="../../app/window/models_page.py"/>
        <source>No downloads</source>
        <translation>没有下载</translation>
    </message>
    <message>
        <location filename="../../app/window/models_page.py"/>
        <source>On this computer</source>
        <translation>这台电脑上</translation>
    </message>
    <message>
        <location filename="../../app/window/models_page.py"/>
        <source>Restart the engine</source>
        <translation>重启引擎</translation>
    </message>
    <message>
        <location filename="../../app/window/models_page.py"/>
        <source>The download of %1 has stopped</source>
        <translation>%1 的下载已停止</translation>
    </message>
    <message>
        <location filename="../../app/window/models_page.py"/>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <location filename="../../app/window/models_page.py"/>
        <source>offline</source>
        <translation>离线</translation>
    </message>
</context>
<context>
    <name>NetworkDialog</name>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>A folder for models</source>
        <translation>模型的文件夹</translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>Access token</source>
        <translation>访问令牌</translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>Access token of the hub</source>
        <translation>Hub 的访问令牌</translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>Add a folder of models</source>
        <translation>添加模型文件夹</translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>Add a folder…</source>
        <translation>添加文件夹…</translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>Address</source>
        <translation>地址</translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>Address of the hub or a mirror of it</source>
        <translation>Hub 或其镜像的地址</translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>Address of the proxy</source>
        <translation>代理的地址</translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>Applied</source>
        <translation>已应用</translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>Apply</source>
        <translation>应用</translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>Apply the way to the hub</source>
        <translation>应用到 Hub 的连接方式</translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>As the environment says</source>
        <translation>按环境变量</translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>Certificates</source>
        <translation>证书</translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>Certificates (*.pem *.crt *.cer)</source>
        <translation>证书 (*.pem *.crt *.cer)</translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>Choose a file with certificates</source>
        <translation>选择证书文件</translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>Do without %1; nothing in it is deleted</source>
        <translation>不再使用 %1；其中的内容不会删除</translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>Downloads</source>
        <translation>下载</translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>File with a company's certificates</source>
        <translation>公司证书文件</translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>Folders of models</source>
        <translation>模型文件夹</translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>For models whose terms must be accepted</source>
        <translation>用于必须接受条款的模型</translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>Forget</source>
        <translation>忘记</translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>Forget the token</source>
        <translation>忘记令牌</translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>Hub and library</source>
        <translation>Hub 与模型库</translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>It can then be prepared again in another precision without fetching it.</source>
        <translation>这样以后可以用另一种精度重新准备，而不必再下载。</translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>Keep</source>
        <translation>保留</translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>Keep the token</source>
        <translation>保存令牌</translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>Keep what was fetched once a model is prepared</source>
        <translation>模型准备好后保留下载的文件</translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>New models go to %1</source>
        <translation>新模型放到 %1</translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>New models go to the first. They may be on other drives.</source>
        <translation>新模型放在第一个。它们可以在其他磁盘上。</translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>None, or a .pem file</source>
        <translation>无，或 .pem 文件</translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>Proxy</source>
        <translation>代理</translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>Speed limit</source>
        <translation>限速</translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>Speed limit in MB/s</source>
        <translation>限速（MB/秒）</translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>Test the connection</source>
        <translation>测试连接</translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>Test the connection…</source>
        <translation>测试连接…</translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>The environment of this process says so (HF_HUB_OFFLINE, EMBER_OFFLINE).</source>
        <translation>这个进程的环境变量这样要求（HF_HUB_OFFLINE、EMBER_OFFLINE）。</translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>The hub</source>
        <translation>Hub</translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>This one:</source>
        <translation>这一个：</translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>Trying…</source>
        <translation>正在尝试…</translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>With a user and a password if need be; they are kept in Ember's settings file.</source>
        <translation>需要时带用户名和密码；它们保存在 Ember 的设置文件中。</translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>Work offline: no connection is made</source>
        <translation>离线工作：不建立任何连接</translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>new models</source>
        <translation>新模型</translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>no limit</source>
        <translation>不限</translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>not connected</source>
        <translation>未连接</translation>
    </message>
</context>
<context>
    <name>NeuronsPage</name>
    <message>
        <location filename="../../app/window/neurons/neurons_page.py"/>
        <source>%1 files of mine</source>
        <translation>我的 %1 个文件</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/neurons_page.py"/>
        <source>%1 is loaded again afterwards.</source>
        <translation>之后会重新加载 %1。</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/neurons_page.py"/>
        <source>1 file of mine</source>
        <translation>我的 1 个文件</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/neurons_page.py"/>
        <source>Back to the conversation</source>
        <translation>返回对话</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/neurons_page.py"/>
        <source>Chatting pauses until this is done or paused.</source>
        <translation>完成或暂停之前，对话暂停。</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/neurons_page.py"/>
        <source>English prose, Chinese, code and dialogue, which come with Ember</source>
        <translation>Ember 自带的英语散文、中文、代码和对话</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/neurons_page.py"/>
        <source>Model to study</source>
        <translation>要研究的模型</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/neurons_page.py"/>
        <source>Neurons</source>
        <translation>神经元</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/neurons_page.py"/>
        <source>Not for this model: none of its neurons is ever exactly silent (%1). Its census says how few carry the activity, and what silencing small activations would cost.</source>
        <translation>不适用于这个模型：它的神经元从不精确静默（%1）。它的普查会说明活动集中在多少神经元上，以及让微小激活静默的代价。</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/neurons_page.py"/>
        <source>Reading what is known of %1…</source>
        <translation>正在读取 %1 的已知信息…</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/neurons_page.py"/>
        <source>Studies read:</source>
        <translation>研究读取：</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/neurons_page.py"/>
        <source>Text that studies read</source>
        <translation>研究读取的文本</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/neurons_page.py"/>
        <source>The study is done: %1.</source>
        <translation>研究已完成：%1。</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/neurons_page.py"/>
        <source>There is no model in the library. Import one on the models page.</source>
        <translation>模型库中没有模型。请在“模型”页导入一个。</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/neurons_page.py"/>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/neurons_page.py"/>
        <source>Waits until the answer that is being written is finished.</source>
        <translation>等待正在写的回答完成。</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/neurons_page.py"/>
        <source>Waits until the model is loaded.</source>
        <translation>等待模型加载完成。</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/neurons_page.py"/>
        <source>Waits until the speed measurement is done.</source>
        <translation>等待速度测量完成。</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/neurons_page.py"/>
        <source>Which neurons of a model are at work, and how many can be left out. A study takes minutes or more and may be paused at any time. Chatting pauses meanwhile: messages wait and are answered afterwards.</source>
        <translation>模型的哪些神经元在工作，可以略去多少。一项研究需要几分钟或更久，可以随时暂停。期间对话暂停：消息会等待，之后再回答。</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/neurons_page.py"/>
        <source>my own text files…</source>
        <translation>我自己的文本文件…</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/neurons_page.py"/>
        <source>other files of mine…</source>
        <translation>我的其他文件…</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/neurons_page.py"/>
        <source>the bundled text</source>
        <translation>自带的文本</translation>
    </message>
</context>
<context>
    <name>NoticeCard</name>
    <message>
        <location filename="../../app/window/device/figures.py"/>
        <source>Understood</source>
        <translation>知道了</translation>
    </message>
</context>
<context>
    <name>Notices</name>
    <message>
        <location filename="../../app/window/notices.py"/>
        <source>%1 is in the library</source>
        <translation>%1 已在模型库中</translation>
    </message>
    <message>
        <location filename="../../app/window/notices.py"/>
        <source>A study of %1 is done</source>
        <translation>%1 的一项研究已完成</translation>
    </message>
    <message>
        <location filename="../../app/window/notices.py"/>
        <source>An answer is finished, after %1 s</source>
        <translation>一个回答已完成，用时 %1 秒</translation>
    </message>
    <message>
        <location filename="../../app/window/notices.py"/>
        <source>Load</source>
        <translation>加载</translation>
    </message>
    <message>
        <location filename="../../app/window/notices.py"/>
        <source>Settings could not be saved: %1</source>
        <translation>设置无法保存：%1</translation>
    </message>
    <message>
        <location filename="../../app/window/notices.py"/>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <location filename="../../app/window/notices.py"/>
        <source>The preset “%1” was deleted</source>
        <translation>预设“%1”已删除</translation>
    </message>
    <message>
        <location filename="../../app/window/notices.py"/>
        <source>The speed of %1 has been measured</source>
        <translation>%1 的速度已测量</translation>
    </message>
    <message>
        <location filename="../../app/window/notices.py"/>
        <source>The two answers are there to compare</source>
        <translation>两个回答可以比较了</translation>
    </message>
    <message>
        <location filename="../../app/window/notices.py"/>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
</context>
<context>
    <name>Opening</name>
    <message>
        <location filename="../../app/window/chats/opening.py"/>
        <source>Continue without saving</source>
        <translation>不保存，继续</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/opening.py"/>
        <source>Keep it aside, start with an empty file</source>
        <translation>保留旧文件，从空文件开始</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/opening.py"/>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/opening.py"/>
        <source>The conversations of the earlier version are not here yet. %1</source>
        <translation>早先版本的对话还没有转到这里。%1</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/opening.py"/>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
</context>
<context>
    <name>PaletteEntries</name>
    <message>
        <location filename="../../app/window/palette_entries.py"/>
        <source>Action</source>
        <translation>操作</translation>
    </message>
    <message>
        <location filename="../../app/window/palette_entries.py"/>
        <source>Conversation</source>
        <translation>对话</translation>
    </message>
    <message>
        <location filename="../../app/window/palette_entries.py"/>
        <source>Load %1</source>
        <translation>加载 %1</translation>
    </message>
    <message>
        <location filename="../../app/window/palette_entries.py"/>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <location filename="../../app/window/palette_entries.py"/>
        <source>Page</source>
        <translation>页面</translation>
    </message>
    <message>
        <location filename="../../app/window/palette_entries.py"/>
        <source>Setting</source>
        <translation>设置</translation>
    </message>
</context>
<context>
    <name>PlainView</name>
    <message>
        <location filename="../../app/window/transcript/plain_view.py"/>
        <source>The rest of this text is very long and is shown without formatting.</source>
        <translation>其余文本非常长，显示时不带格式。</translation>
    </message>
    <message>
        <location filename="../../app/window/transcript/plain_view.py"/>
        <source>This table is very large and is shown without its layout.</source>
        <translation>这个表格非常大，显示时不带排版。</translation>
    </message>
    <message>
        <location filename="../../app/window/transcript/plain_view.py"/>
        <source>Unformatted text</source>
        <translation>无格式文本</translation>
    </message>
</context>
<context>
    <name>PresetRow</name>
    <message>
        <location filename="../../app/window/preset_row.py"/>
        <source>%1 (changed)</source>
        <translation>%1（已更改）</translation>
    </message>
    <message>
        <location filename="../../app/window/preset_row.py"/>
        <source>Back to the preset</source>
        <translation>恢复为预设</translation>
    </message>
    <message>
        <location filename="../../app/window/preset_row.py"/>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <location filename="../../app/window/preset_row.py"/>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <location filename="../../app/window/preset_row.py"/>
        <source>Export the preset</source>
        <translation>导出预设</translation>
    </message>
    <message>
        <location filename="../../app/window/preset_row.py"/>
        <source>Export to a file…</source>
        <translation>导出到文件…</translation>
    </message>
    <message>
        <location filename="../../app/window/preset_row.py"/>
        <source>Import a preset</source>
        <translation>导入预设</translation>
    </message>
    <message>
        <location filename="../../app/window/preset_row.py"/>
        <source>Import from a file…</source>
        <translation>从文件导入…</translation>
    </message>
    <message>
        <location filename="../../app/window/preset_row.py"/>
        <source>Keep</source>
        <translation>保留</translation>
    </message>
    <message>
        <location filename="../../app/window/preset_row.py"/>
        <source>Keep as a new preset…</source>
        <translation>另存为新预设…</translation>
    </message>
    <message>
        <location filename="../../app/window/preset_row.py"/>
        <source>Keep as a preset</source>
        <translation>保存为预设</translation>
    </message>
    <message>
        <location filename="../../app/window/preset_row.py"/>
        <source>Keep the changes in “%1”</source>
        <translation>把更改保存到“%1”</translation>
    </message>
    <message>
        <location filename="../../app/window/preset_row.py"/>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <location filename="../../app/window/preset_row.py"/>
        <source>No preset</source>
        <translation>无预设</translation>
    </message>
    <message>
        <location filename="../../app/window/preset_row.py"/>
        <source>Preset</source>
        <translation>预设</translation>
    </message>
    <message>
        <location filename="../../app/window/preset_row.py"/>
        <source>Presets (*.toml)</source>
        <translation>预设 (*.toml)</translation>
    </message>
    <message>
        <location filename="../../app/window/preset_row.py"/>
        <source>Presets: keep, rename, delete, hand on</source>
        <translation>预设：保存、重命名、删除、分享</translation>
    </message>
    <message>
        <location filename="../../app/window/preset_row.py"/>
        <source>Rename the preset</source>
        <translation>重命名预设</translation>
    </message>
    <message>
        <location filename="../../app/window/preset_row.py"/>
        <source>Rename…</source>
        <translation>重命名…</translation>
    </message>
    <message>
        <location filename="../../app/window/preset_row.py"/>
        <source>Some values are no longer the preset’s; the arrows beside them go back.</source>
        <translation>有些值不再是预设的值；旁边的箭头可以恢复。</translation>
    </message>
    <message>
        <location filename="../../app/window/preset_row.py"/>
        <source>These values belong to no preset.</source>
        <translation>这些值不属于任何预设。</translation>
    </message>
</context>
<context>
    <name>Presets</name>
    <message>
        <location filename="../../app/window/preset_words.py"/>
        <source>A preset needs a name of 1 to %1 characters.</source>
        <translation>预设的名称需要 1 到 %1 个字符。</translation>
    </message>
    <message>
        <location filename="../../app/window/preset_words.py"/>
        <source>Balanced</source>
        <translation>平衡</translation>
    </message>
    <message>
        <location filename="../../app/window/preset_words.py"/>
        <source>Check the file and its folder, and try again.</source>
        <translation>请检查文件和它的文件夹，然后重试。</translation>
    </message>
    <message>
        <location filename="../../app/window/preset_words.py"/>
        <source>Code</source>
        <translation>代码</translation>
    </message>
    <message>
        <location filename="../../app/window/preset_words.py"/>
        <source>Creative</source>
        <translation>创意</translation>
    </message>
    <message>
        <location filename="../../app/window/preset_words.py"/>
        <source>Delete one first.</source>
        <translation>请先删除一个。</translation>
    </message>
    <message>
        <location filename="../../app/window/preset_words.py"/>
        <source>For everyday questions.</source>
        <translation>用于日常问题。</translation>
    </message>
    <message>
        <location filename="../../app/window/preset_words.py"/>
        <source>Give it another name.</source>
        <translation>请换一个名称。</translation>
    </message>
    <message>
        <location filename="../../app/window/preset_words.py"/>
        <source>Keeps to the likeliest words: facts, summaries, translations.</source>
        <translation>只用最可能的词：事实、摘要、翻译。</translation>
    </message>
    <message>
        <location filename="../../app/window/preset_words.py"/>
        <source>Nearly the likeliest words, and repeating them costs nothing: programs.</source>
        <translation>几乎只用最可能的词，重复不受惩罚：程序。</translation>
    </message>
    <message>
        <location filename="../../app/window/preset_words.py"/>
        <source>One of your own.</source>
        <translation>您自己的预设。</translation>
    </message>
    <message>
        <location filename="../../app/window/preset_words.py"/>
        <source>Precise</source>
        <translation>严谨</translation>
    </message>
    <message>
        <location filename="../../app/window/preset_words.py"/>
        <source>Presets cannot be kept: %2.</source>
        <translation>无法保存预设：%2。</translation>
    </message>
    <message>
        <location filename="../../app/window/preset_words.py"/>
        <source>Takes less likely words too: stories, ideas, names.</source>
        <translation>也用不太可能的词：故事、创意、名称。</translation>
    </message>
    <message>
        <location filename="../../app/window/preset_words.py"/>
        <source>The file of presets “%1” cannot be used: %2.</source>
        <translation>无法使用预设文件“%1”：%2。</translation>
    </message>
    <message>
        <location filename="../../app/window/preset_words.py"/>
        <source>There are %1 presets, as many as Ember keeps.</source>
        <translation>已有 %1 个预设，达到 Ember 保存的上限。</translation>
    </message>
    <message>
        <location filename="../../app/window/preset_words.py"/>
        <source>There is a preset called “%1” already.</source>
        <translation>已经有名为“%1”的预设。</translation>
    </message>
</context>
<context>
    <name>ProgressLine</name>
    <message>
        <location filename="../../app/window/model_card.py"/>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>PromptDialog</name>
    <message>
        <location filename="../../app/window/composer/prompt_dialog.py"/>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <location filename="../../app/window/composer/prompt_dialog.py"/>
        <source>Copy it to my prompts</source>
        <translation>复制到我的提示词</translation>
    </message>
    <message>
        <location filename="../../app/window/composer/prompt_dialog.py"/>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <location filename="../../app/window/composer/prompt_dialog.py"/>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <location filename="../../app/window/composer/prompt_dialog.py"/>
        <source>Name of the prompt</source>
        <translation>提示词的名称</translation>
    </message>
    <message>
        <location filename="../../app/window/composer/prompt_dialog.py"/>
        <source>New prompt</source>
        <translation>新提示词</translation>
    </message>
    <message>
        <location filename="../../app/window/composer/prompt_dialog.py"/>
        <source>Places to fill: %1</source>
        <translation>要填写的位置：%1</translation>
    </message>
    <message>
        <location filename="../../app/window/composer/prompt_dialog.py"/>
        <source>Prompts</source>
        <translation>提示词</translation>
    </message>
    <message>
        <location filename="../../app/window/composer/prompt_dialog.py"/>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <location filename="../../app/window/composer/prompt_dialog.py"/>
        <source>Text of the prompt</source>
        <translation>提示词的文本</translation>
    </message>
    <message>
        <location filename="../../app/window/composer/prompt_dialog.py"/>
        <source>The prompts could not be written down: %1. They are kept until Ember ends.</source>
        <translation>提示词无法写入：%1。它们会保留到 Ember 结束。</translation>
    </message>
    <message>
        <location filename="../../app/window/composer/prompt_dialog.py"/>
        <source>Unnamed</source>
        <translation>未命名</translation>
    </message>
    <message>
        <location filename="../../app/window/composer/prompt_dialog.py"/>
        <source>Use it</source>
        <translation>使用</translation>
    </message>
    <message>
        <location filename="../../app/window/composer/prompt_dialog.py"/>
        <source>Write {{text}} for what stands in the field, {{clipboard}} for what was copied, or any {{word}}.</source>
        <translation>写 {{text}} 表示输入框中的内容，{{clipboard}} 表示复制的内容，或写任意 {{word}}。</translation>
    </message>
    <message>
        <location filename="../../app/window/composer/prompt_dialog.py"/>
        <source>Your prompts could not be read (%1), and the file is left as it is.</source>
        <translation>无法读取您的提示词（%1），文件保持原样。</translation>
    </message>
    <message>
        <location filename="../../app/window/composer/prompt_dialog.py"/>
        <source>Your prompts could not be read (%1). The file is kept as %2.</source>
        <translation>无法读取您的提示词（%1）。文件保留为 %2。</translation>
    </message>
    <message>
        <location filename="../../app/window/composer/prompt_dialog.py"/>
        <source>comes with Ember</source>
        <translation>Ember 自带</translation>
    </message>
</context>
<context>
    <name>PromptMenu</name>
    <message>
        <location filename="../../app/window/composer/prompt_menu.py"/>
        <source>Edit prompts</source>
        <translation>编辑提示词</translation>
    </message>
    <message>
        <location filename="../../app/window/composer/prompt_menu.py"/>
        <source>Edit prompts…</source>
        <translation>编辑提示词…</translation>
    </message>
    <message>
        <location filename="../../app/window/composer/prompt_menu.py"/>
        <source>Prompts</source>
        <translation>提示词</translation>
    </message>
</context>
<context>
    <name>ProseView</name>
    <message>
        <location filename="../../app/window/transcript/flat_text.py"/>
        <source>[picture, not loaded: %1]</source>
        <translation>[图片，未加载：%1]</translation>
    </message>
</context>
<context>
    <name>QueueRow</name>
    <message>
        <location filename="../../app/window/composer/queue_rows.py"/>
        <source>Edit the waiting message: %1</source>
        <translation>编辑等待的消息：%1</translation>
    </message>
    <message>
        <location filename="../../app/window/composer/queue_rows.py"/>
        <source>Remove it</source>
        <translation>移除</translation>
    </message>
    <message>
        <location filename="../../app/window/composer/queue_rows.py"/>
        <source>Remove the waiting message: %1</source>
        <translation>移除等待的消息：%1</translation>
    </message>
    <message>
        <location filename="../../app/window/composer/queue_rows.py"/>
        <source>Take it back into the field</source>
        <translation>取回到输入框</translation>
    </message>
</context>
<context>
    <name>QueueRows</name>
    <message>
        <location filename="../../app/window/composer/queue_rows.py"/>
        <source>%1 more are not shown</source>
        <translation>另有 %1 条未显示</translation>
    </message>
    <message>
        <location filename="../../app/window/composer/queue_rows.py"/>
        <source>Not sent yet (%1): the answer before did not come to its end</source>
        <translation>尚未发送（%1）：前面的回答没有完成</translation>
    </message>
    <message>
        <location filename="../../app/window/composer/queue_rows.py"/>
        <source>Send now</source>
        <translation>现在发送</translation>
    </message>
    <message>
        <location filename="../../app/window/composer/queue_rows.py"/>
        <source>Send the waiting messages now</source>
        <translation>现在发送等待的消息</translation>
    </message>
    <message>
        <location filename="../../app/window/composer/queue_rows.py"/>
        <source>Sent once the answer is done (%1)</source>
        <translation>回答完成后发送（%1）</translation>
    </message>
</context>
<context>
    <name>Reason</name>
    <message>
        <location filename="../../app/window/device/work_card.py"/>
        <source>Why is it slow?</source>
        <translation>为什么慢？</translation>
    </message>
</context>
<context>
    <name>ReportDetails</name>
    <message>
        <location filename="../../app/window/report_card.py"/>
        <source>%1, on %2: measured once so far. A second measurement begins the line.</source>
        <translation>%1，于 %2：目前只测量过一次。第二次测量后开始连线。</translation>
    </message>
    <message>
        <location filename="../../app/window/report_card.py"/>
        <source>%1, on %2; one point for each measurement, whiskers from the slowest run to the fastest.</source>
        <translation>%1，于 %2；每次测量一个点，须线从最慢到最快。</translation>
    </message>
    <message>
        <location filename="../../app/window/report_card.py"/>
        <source>Copy as Markdown</source>
        <translation>复制为 Markdown</translation>
    </message>
    <message>
        <location filename="../../app/window/report_card.py"/>
        <source>Copy the report on %1 as Markdown</source>
        <translation>把 %1 的报告复制为 Markdown</translation>
    </message>
    <message>
        <location filename="../../app/window/report_card.py"/>
        <source>Decoding over time, tokens/s</source>
        <translation>解码速度随时间变化，词元/秒</translation>
    </message>
    <message>
        <location filename="../../app/window/report_card.py"/>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <location filename="../../app/window/report_card.py"/>
        <source>Delete the report on %1</source>
        <translation>删除 %1 的报告</translation>
    </message>
    <message>
        <location filename="../../app/window/report_card.py"/>
        <source>Measured on %1 on %2</source>
        <translation>%1 测量，于 %2</translation>
    </message>
    <message>
        <location filename="../../app/window/report_card.py"/>
        <source>What is shown over time</source>
        <translation>随时间显示的内容</translation>
    </message>
</context>
<context>
    <name>ReportFiles</name>
    <message>
        <location filename="../../app/window/report_files.py"/>
        <source>Report deleted</source>
        <translation>报告已删除</translation>
    </message>
    <message>
        <location filename="../../app/window/report_files.py"/>
        <source>Saved as %1</source>
        <translation>已保存为 %1</translation>
    </message>
    <message>
        <location filename="../../app/window/report_files.py"/>
        <source>The report could not be deleted: %1</source>
        <translation>报告无法删除：%1</translation>
    </message>
    <message>
        <location filename="../../app/window/report_files.py"/>
        <source>The report could not be saved: %1</source>
        <translation>报告无法保存：%1</translation>
    </message>
    <message>
        <location filename="../../app/window/report_files.py"/>
        <source>The report has been copied as Markdown</source>
        <translation>报告已复制为 Markdown</translation>
    </message>
    <message>
        <location filename="../../app/window/report_files.py"/>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
</context>
<context>
    <name>ReportHeader</name>
    <message>
        <location filename="../../app/window/report_card.py"/>
        <source>%1 threads</source>
        <translation>%1 个线程</translation>
    </message>
    <message>
        <location filename="../../app/window/report_card.py"/>
        <source>%1 tokens/s</source>
        <translation>%1 词元/秒</translation>
    </message>
    <message>
        <location filename="../../app/window/report_card.py"/>
        <source>1 thread</source>
        <translation>1 个线程</translation>
    </message>
    <message>
        <location filename="../../app/window/report_card.py"/>
        <source>busy machine</source>
        <translation>机器忙</translation>
    </message>
    <message>
        <location filename="../../app/window/report_card.py"/>
        <source>closed</source>
        <translation>已收起</translation>
    </message>
    <message>
        <location filename="../../app/window/report_card.py"/>
        <source>decoding %1</source>
        <translation>解码 %1</translation>
    </message>
    <message>
        <location filename="../../app/window/report_card.py"/>
        <source>opened</source>
        <translation>已展开</translation>
    </message>
    <message>
        <location filename="../../app/window/report_card.py"/>
        <source>prompt %1</source>
        <translation>提示词 %1</translation>
    </message>
    <message>
        <location filename="../../app/window/report_card.py"/>
        <source>wrong tokens</source>
        <translation>错误的词元</translation>
    </message>
</context>
<context>
    <name>RestartRow</name>
    <message>
        <location filename="../../app/window/device/cards_card.py"/>
        <source>Restart the engine</source>
        <translation>重启引擎</translation>
    </message>
    <message>
        <location filename="../../app/window/device/cards_card.py"/>
        <source>Your choice takes effect once the engine is started again. It is busy just now.</source>
        <translation>您的选择会在引擎重新启动后生效。引擎现在正忙。</translation>
    </message>
    <message>
        <location filename="../../app/window/device/cards_card.py"/>
        <source>Your choice takes effect once the engine is started again; the model is then loaded anew.</source>
        <translation>您的选择会在引擎重新启动后生效；之后会重新加载模型。</translation>
    </message>
</context>
<context>
    <name>SearchResults</name>
    <message>
        <location filename="../../app/window/chats/search_results.py"/>
        <source>Found</source>
        <translation>结果</translation>
    </message>
</context>
<context>
    <name>SegmentsView</name>
    <message>
        <location filename="../../app/window/transcript/segments.py"/>
        <source>Answer</source>
        <translation>回答</translation>
    </message>
</context>
<context>
    <name>SettingRow</name>
    <message>
        <location filename="../../app/window/settings/rows.py"/>
        <source>Back to the usual: %1</source>
        <translation>恢复默认值：%1</translation>
    </message>
</context>
<context>
    <name>Settings</name>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>A model that has not answered for so long is unloaded; the next message loads it again.</source>
        <translation>这么久没有回答的模型会被卸载；下一条消息会重新加载它。</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>A sheet of every action and its keys.</source>
        <translation>列出每个操作及其按键。</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>A text file with everything on this page.</source>
        <translation>一个文本文件，包含这一页的所有内容。</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Accent</source>
        <translation>强调色</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Advanced</source>
        <translation>高级</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>After %1 minutes</source>
        <translation>%1 分钟后</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>All shortcuts at a glance</source>
        <translation>所有快捷键一览</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Answer settings…</source>
        <translation>回答设置…</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Appearance</source>
        <translation>外观</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>As the system says</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Ask again…</source>
        <translation>再次询问…</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Base models go on with your text</source>
        <translation>基座模型续写您的文本</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Card and its memory</source>
        <translation>显卡与显存</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Chat</source>
        <translation>对话</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Ctrl and Enter</source>
        <translation>Ctrl 加 Enter</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Device page</source>
        <translation>“设备”页</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Enter</source>
        <translation>Enter</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Every action gets the keys again that it had at first.</source>
        <translation>每个操作都恢复为最初的按键。</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Everything on this page becomes as it was at first; models and conversations stay.</source>
        <translation>这一页的所有内容恢复为最初的样子；模型和对话保留。</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Figures below each answer</source>
        <translation>每个回答下方的数据</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>First questions</source>
        <translation>初次设置</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>General</source>
        <translation>常规</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Give memory back when idle</source>
        <translation>空闲时归还内存</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>How answers are made</source>
        <translation>怎样生成回答</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Hub and library…</source>
        <translation>Hub 与模型库…</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Hub, mirror, proxy and folders</source>
        <translation>Hub、镜像、代理和文件夹</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Icon in the tray</source>
        <translation>托盘图标</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>It brings the window to the front, begins a chat or quits; not every desktop has a tray.</source>
        <translation>它可以把窗口带到前面、开始对话或退出；不是每个桌面都有托盘。</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>It can then be prepared again in another precision without fetching it.</source>
        <translation>这样以后可以用另一种精度重新准备，而不必再下载。</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Keep the first message in sight</source>
        <translation>始终保留第一条消息</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Keep what was fetched once a model is prepared</source>
        <translation>模型准备好后保留下载的文件</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Learn from my chats which neurons fire</source>
        <translation>从我的对话中学习哪些神经元会激活</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Leave out the middle</source>
        <translation>略去中间部分</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Leave out the oldest turns</source>
        <translation>略去最早的几轮</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Light, dark, or what the desktop is set to.</source>
        <translation>浅色、深色，或跟随桌面。</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Load the last model at the start</source>
        <translation>启动时加载上次的模型</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Logs</source>
        <translation>日志</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Logs page</source>
        <translation>“日志”页</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Model and answers</source>
        <translation>模型与回答</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Models and network</source>
        <translation>模型与网络</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Never</source>
        <translation>从不</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>No connection is made, whatever is asked for.</source>
        <translation>无论要求什么，都不建立连接。</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Of all downloads together.</source>
        <translation>所有下载合计。</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>On this computer, in one file. Ember sends nothing anywhere, and there is no telemetry.</source>
        <translation>在这台电脑上的一个文件中。Ember 不向任何地方发送内容，也没有遥测。</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Only counts are kept, on this computer; with them Ember chooses what is kept close at hand.</source>
        <translation>只在这台电脑上保存计数；Ember 据此选择把什么放在手边。</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Open the folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Otherwise it is loaded by the first message.</source>
        <translation>否则由第一条消息加载。</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Privacy</source>
        <translation>隐私</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Reset all keys</source>
        <translation>重置所有按键</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Reset all settings…</source>
        <translation>重置所有设置…</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Send with</source>
        <translation>发送方式</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Settings file</source>
        <translation>设置文件</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Shift and Enter always begins a new line.</source>
        <translation>Shift 加 Enter 始终换行。</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Shortcuts</source>
        <translation>快捷键</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Show the sheet</source>
        <translation>显示一览</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Size of everything</source>
        <translation>整体大小</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Speed limit of downloads, in MB/s</source>
        <translation>下载限速（MB/秒）</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Stop and ask</source>
        <translation>停下来询问</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>System prompt, presets, temperature, stop texts and the rest, beside the conversation.</source>
        <translation>系统提示词、预设、温度、停止字符串等，在对话旁边。</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Tell when a long answer has ended</source>
        <translation>长回答结束时通知</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Text, buttons and spaces; Ctrl and + or − do the same.</source>
        <translation>文字、按钮和间距；Ctrl 加 + 或 − 也可以调整。</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>The colour of buttons, links and marks.</source>
        <translation>按钮、链接和标记的颜色。</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>The desktop says so while you are in another window.</source>
        <translation>您在其他窗口时由桌面通知。</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>The hub’s address, a proxy, certificates, the access token, and the folders models are kept in.</source>
        <translation>Hub 的地址、代理、证书、访问令牌，以及存放模型的文件夹。</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>The language of the window.</source>
        <translation>窗口的语言。</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>The questions of the first start: language, theme, folder, speed of this computer.</source>
        <translation>第一次启动时的问题：语言、主题、文件夹、这台电脑的速度。</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>They were not trained to converse. Otherwise they are given questions to answer all the same.</source>
        <translation>它们没有受过对话训练。否则仍会把内容作为问题交给它们。</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Tokens, speed and the time to the first token, as measured.</source>
        <translation>测得的词元数、速度和首个词元用时。</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Usual keys</source>
        <translation>默认按键</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Usual settings</source>
        <translation>默认设置</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>What is done once the model can no longer read all of it. What is left out is always said.</source>
        <translation>模型无法再读完整个对话时怎么办。略去了什么总会说明。</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>What window and engine wrote down, and a report on this computer to copy. Never what you wrote.</source>
        <translation>窗口和引擎写下的记录，以及一份可以复制的电脑报告。从不包含您写的内容。</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>When a conversation is too long</source>
        <translation>对话太长时</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Where older turns are left out, the message that began the conversation stays.</source>
        <translation>略去较早的几轮时，开始对话的那条消息会保留。</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Where your conversations are</source>
        <translation>您的对话在哪里</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Which graphics card computes with, how much of its memory Ember takes, how fast this computer is.</source>
        <translation>用哪块显卡计算，Ember 占用多少显存，这台电脑有多快。</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Work offline</source>
        <translation>离线工作</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>no limit</source>
        <translation>不限</translation>
    </message>
</context>
<context>
    <name>SettingsPage</name>
    <message>
        <location filename="../../app/window/settings/settings_page.py"/>
        <source>Back to the conversation</source>
        <translation>返回对话</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/settings_page.py"/>
        <source>No setting is called “%1”.</source>
        <translation>没有名为“%1”的设置。</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/settings_page.py"/>
        <source>Search the settings</source>
        <translation>搜索设置</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/settings_page.py"/>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/settings_page.py"/>
        <source>To the section %1</source>
        <translation>转到“%1”部分</translation>
    </message>
</context>
<context>
    <name>SettingsWays</name>
    <message>
        <location filename="../../app/window/settings_ways.py"/>
        <source>All settings are as they were at first</source>
        <translation>所有设置已恢复为最初的样子</translation>
    </message>
    <message>
        <location filename="../../app/window/settings_ways.py"/>
        <source>Everything on this page, shortcuts included. Models and conversations stay.</source>
        <translation>这一页的所有内容，包括快捷键。模型和对话保留。</translation>
    </message>
    <message>
        <location filename="../../app/window/settings_ways.py"/>
        <source>Make all settings as they were at first?</source>
        <translation>把所有设置恢复为最初的样子？</translation>
    </message>
    <message>
        <location filename="../../app/window/settings_ways.py"/>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
    <message>
        <location filename="../../app/window/settings_ways.py"/>
        <source>The diagnostics have been copied</source>
        <translation>诊断信息已复制</translation>
    </message>
</context>
<context>
    <name>ShortcutRow</name>
    <message>
        <location filename="../../app/window/settings/shortcut_rows.py"/>
        <source>Keys of %1</source>
        <translation>%1 的按键</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/shortcut_rows.py"/>
        <source>Leave it</source>
        <translation>保持不变</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/shortcut_rows.py"/>
        <source>Leave the keys where they are</source>
        <translation>按键保持不变</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/shortcut_rows.py"/>
        <source>No keys for %1</source>
        <translation>%1 没有按键</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/shortcut_rows.py"/>
        <source>Shortcuts</source>
        <translation>快捷键</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/shortcut_rows.py"/>
        <source>These keys belong to “%1”.</source>
        <translation>这些键属于“%1”。</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/shortcut_rows.py"/>
        <source>These keys type; add Ctrl or Alt, or use a function key.</source>
        <translation>这些键会输入文字；请加上 Ctrl 或 Alt，或使用功能键。</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/shortcut_rows.py"/>
        <source>Use the keys for %1</source>
        <translation>把这些键用于 %1</translation>
    </message>
    <message>
        <location filename="../../app/window/settings/shortcut_rows.py"/>
        <source>Use them here</source>
        <translation>用在这里</translation>
    </message>
</context>
<context>
    <name>ShortcutSheet</name>
    <message>
        <location filename="../../app/window/shortcut_sheet.py"/>
        <source>Answers</source>
        <translation>回答</translation>
    </message>
    <message>
        <location filename="../../app/window/shortcut_sheet.py"/>
        <source>Change…</source>
        <translation>更改…</translation>
    </message>
    <message>
        <location filename="../../app/window/shortcut_sheet.py"/>
        <source>Close what is open</source>
        <translation>关闭打开的内容</translation>
    </message>
    <message>
        <location filename="../../app/window/shortcut_sheet.py"/>
        <source>Conversations</source>
        <translation>对话</translation>
    </message>
    <message>
        <location filename="../../app/window/shortcut_sheet.py"/>
        <source>Ember</source>
        <translation>Ember</translation>
    </message>
    <message>
        <location filename="../../app/window/shortcut_sheet.py"/>
        <source>Next control</source>
        <translation>下一个控件</translation>
    </message>
    <message>
        <location filename="../../app/window/shortcut_sheet.py"/>
        <source>Pages</source>
        <translation>页面</translation>
    </message>
    <message>
        <location filename="../../app/window/shortcut_sheet.py"/>
        <source>Shortcuts</source>
        <translation>快捷键</translation>
    </message>
    <message>
        <location filename="../../app/window/shortcut_sheet.py"/>
        <source>Stop the answer</source>
        <translation>停止回答</translation>
    </message>
    <message>
        <location filename="../../app/window/shortcut_sheet.py"/>
        <source>View</source>
        <translation>视图</translation>
    </message>
    <message>
        <location filename="../../app/window/shortcut_sheet.py"/>
        <source>While writing</source>
        <translation>写作时</translation>
    </message>
</context>
<context>
    <name>Sidebar</name>
    <message>
        <location filename="../../app/window/sidebar.py"/>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <location filename="../../app/window/sidebar.py"/>
        <source>Neurons</source>
        <translation>神经元</translation>
    </message>
    <message>
        <location filename="../../app/window/sidebar.py"/>
        <source>New chat</source>
        <translation>新对话</translation>
    </message>
    <message>
        <location filename="../../app/window/sidebar.py"/>
        <source>New temporary chat, which is saved nowhere</source>
        <translation>新的临时对话，不保存到任何地方</translation>
    </message>
    <message>
        <location filename="../../app/window/sidebar.py"/>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <location filename="../../app/window/sidebar.py"/>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
</context>
<context>
    <name>SkippedNote</name>
    <message>
        <location filename="../../app/window/speed_page.py"/>
        <source>%1 more</source>
        <translation>另外 %1 个</translation>
    </message>
    <message>
        <location filename="../../app/window/speed_page.py"/>
        <source>Not shown, and left as they are: %1.</source>
        <translation>未显示，保持原样：%1。</translation>
    </message>
    <message>
        <location filename="../../app/window/speed_page.py"/>
        <source>cannot be read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <location filename="../../app/window/speed_page.py"/>
        <source>no report, or a damaged one</source>
        <translation>不是报告，或已损坏</translation>
    </message>
    <message>
        <location filename="../../app/window/speed_page.py"/>
        <source>written by a later Ember</source>
        <translation>由更新版本的 Ember 写入</translation>
    </message>
</context>
<context>
    <name>SpeedControl</name>
    <message>
        <location filename="../../app/window/speed_control.py"/>
        <source>It is shown until you close Ember; copy it as Markdown if you need it.</source>
        <translation>它会显示到您关闭 Ember；如果需要，请复制为 Markdown。</translation>
    </message>
    <message>
        <location filename="../../app/window/speed_control.py"/>
        <source>The report is not kept: “%1” cannot be written to (%2).</source>
        <translation>报告没有保存：无法写入“%1”（%2）。</translation>
    </message>
</context>
<context>
    <name>SpeedPage</name>
    <message>
        <location filename="../../app/window/speed_page.py"/>
        <source>%1 is loaded again afterwards.</source>
        <translation>之后会重新加载 %1。</translation>
    </message>
    <message>
        <location filename="../../app/window/speed_page.py"/>
        <source>A quick measurement of one model. Chatting pauses meanwhile: messages wait and are answered afterwards. Close other programs first: they lower the figures.</source>
        <translation>对一个模型的快速测量。期间对话暂停：消息会等待，之后再回答。请先关闭其他程序：它们会拉低数字。</translation>
    </message>
    <message>
        <location filename="../../app/window/speed_page.py"/>
        <source>Back to the conversation</source>
        <translation>返回对话</translation>
    </message>
    <message>
        <location filename="../../app/window/speed_page.py"/>
        <source>Chatting pauses until this is done.</source>
        <translation>完成之前，对话暂停。</translation>
    </message>
    <message>
        <location filename="../../app/window/speed_page.py"/>
        <source>Check that it is a folder and that you may read it.</source>
        <translation>请检查它是不是文件夹，以及您是否有读取权限。</translation>
    </message>
    <message>
        <location filename="../../app/window/speed_page.py"/>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <location filename="../../app/window/speed_page.py"/>
        <source>Measure now</source>
        <translation>现在测量</translation>
    </message>
    <message>
        <location filename="../../app/window/speed_page.py"/>
        <source>Measure the speed of %1 now</source>
        <translation>现在测量 %1 的速度</translation>
    </message>
    <message>
        <location filename="../../app/window/speed_page.py"/>
        <source>Model to measure</source>
        <translation>要测量的模型</translation>
    </message>
    <message>
        <location filename="../../app/window/speed_page.py"/>
        <source>Open the folder of the reports</source>
        <translation>打开报告的文件夹</translation>
    </message>
    <message>
        <location filename="../../app/window/speed_page.py"/>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <location filename="../../app/window/speed_page.py"/>
        <source>The folder with the reports cannot be read: %1 (%2).</source>
        <translation>无法读取报告的文件夹：%1（%2）。</translation>
    </message>
    <message>
        <location filename="../../app/window/speed_page.py"/>
        <source>The measurement is done.</source>
        <translation>测量已完成。</translation>
    </message>
    <message>
        <location filename="../../app/window/speed_page.py"/>
        <source>Waits until the answer that is being written is finished.</source>
        <translation>等待正在写的回答完成。</translation>
    </message>
    <message>
        <location filename="../../app/window/speed_page.py"/>
        <source>Waits until the model is loaded.</source>
        <translation>等待模型加载完成。</translation>
    </message>
</context>
<context>
    <name>SpeedStep</name>
    <message>
        <location filename="../../app/window/wizard/steps.py"/>
        <source>%1 of memory</source>
        <translation>内存 %1</translation>
    </message>
    <message>
        <location filename="../../app/window/wizard/steps.py"/>
        <source>Ember can measure memory and graphics card once, in half a minute at most. With that it says beforehand how fast a model will run here. It can be done later on the device page.</source>
        <translation>Ember 可以测量一次内存和显卡，最多半分钟。这样它能预先说明模型在这里运行得多快。也可以以后在“设备”页测量。</translation>
    </message>
    <message>
        <location filename="../../app/window/wizard/steps.py"/>
        <source>How fast is this computer?</source>
        <translation>这台电脑有多快？</translation>
    </message>
    <message>
        <location filename="../../app/window/wizard/steps.py"/>
        <source>Looking at this computer…</source>
        <translation>正在检查这台电脑…</translation>
    </message>
    <message>
        <location filename="../../app/window/wizard/steps.py"/>
        <source>Main memory: %1 with %2 threads</source>
        <translation>内存：%2 个线程时 %1</translation>
    </message>
    <message>
        <location filename="../../app/window/wizard/steps.py"/>
        <source>Measure now</source>
        <translation>现在测量</translation>
    </message>
    <message>
        <location filename="../../app/window/wizard/steps.py"/>
        <source>Measure the speeds of this computer</source>
        <translation>测量这台电脑的速度</translation>
    </message>
    <message>
        <location filename="../../app/window/wizard/steps.py"/>
        <source>Not measured yet</source>
        <translation>尚未测量</translation>
    </message>
    <message>
        <location filename="../../app/window/wizard/steps.py"/>
        <source>card: %1</source>
        <translation>显卡：%1</translation>
    </message>
    <message>
        <location filename="../../app/window/wizard/steps.py"/>
        <source>no graphics card, which is a normal case</source>
        <translation>没有显卡，这很正常</translation>
    </message>
</context>
<context>
    <name>Start</name>
    <message>
        <location filename="../../app/window/start.py"/>
        <source>Ember is already open.</source>
        <translation>Ember 已经打开。</translation>
    </message>
    <message>
        <location filename="../../app/window/start.py"/>
        <source>Its window does not answer. Look for it, or end that process and start again.</source>
        <translation>它的窗口没有响应。请找到它，或结束那个进程后重新启动。</translation>
    </message>
</context>
<context>
    <name>StepRow</name>
    <message>
        <location filename="../../app/window/models/connection_dialog.py"/>
        <source>trying…</source>
        <translation>正在尝试…</translation>
    </message>
</context>
<context>
    <name>StudyCard</name>
    <message>
        <location filename="../../app/window/neurons/study_card.py"/>
        <source>%1 tokens of text</source>
        <translation>%1 个词元的文本</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_card.py"/>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_card.py"/>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_card.py"/>
        <source>Continue: %1</source>
        <translation>继续：%1</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_card.py"/>
        <source>Hide the figures</source>
        <translation>隐藏数据</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_card.py"/>
        <source>How few neurons and attention heads would suffice for the same predictions, if it were known beforehand which: what no predictor can better. Some minutes for a small model.</source>
        <translation>如果事先知道是哪些，最少需要多少神经元和注意力头就能得出同样的预测：任何预测器都无法超过。小模型需要几分钟。</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_card.py"/>
        <source>How much can be left out at a loss that is measured and stated, and what it brings in speed. What holds what it promises can be chosen for answers afterwards. Up to half an hour for a small model.</source>
        <translation>在测得并说明的损失下可以略去多少，以及带来多少速度。能兑现承诺的，之后可以为回答选用。小模型最多半小时。</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_card.py"/>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_card.py"/>
        <source>Paused at %1 %; it can go on from there.</source>
        <translation>暂停在 %1%；可以从那里继续。</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_card.py"/>
        <source>Pausing; what has been found so far is kept…</source>
        <translation>正在暂停；目前的结果会保留…</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_card.py"/>
        <source>Run again</source>
        <translation>重新运行</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_card.py"/>
        <source>Show the figures</source>
        <translation>显示数据</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_card.py"/>
        <source>Show the figures: %1</source>
        <translation>显示数据：%1</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_card.py"/>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_card.py"/>
        <source>Start anew</source>
        <translation>重新开始</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_card.py"/>
        <source>Start: %1</source>
        <translation>开始：%1</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_card.py"/>
        <source>The model was packed anew since this was studied: the figures are of other weights. Run it again.</source>
        <translation>研究之后模型重新打包过：这些数据属于其他权重。请重新运行。</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_card.py"/>
        <source>The report of this study is damaged and cannot be read. Run it again, which replaces it.</source>
        <translation>这项研究的报告已损坏，无法读取。请重新运行，结果会替换它。</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_card.py"/>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_card.py"/>
        <source>What the neurons do while the model reads ordinary text: how many are silent for a token, how few carry the activity, and how much of that changes with the next token. A few minutes for a small model.</source>
        <translation>模型读普通文本时神经元在做什么：对一个词元有多少静默，活动集中在多少神经元上，其中有多少随下一个词元变化。小模型需要几分钟。</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_card.py"/>
        <source>Whether the active neurons of a layer can be named before they are computed, and the bytes that saves. Predictors are trained for it here: up to half an hour for a small model.</source>
        <translation>能否在计算之前指出一层的活跃神经元，以及由此节省的字节。会在这里训练预测器：小模型最多半小时。</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_card.py"/>
        <source>Which neurons matter for prose, Chinese, code and dialogue, and how many of them are the same. A few minutes for a small model.</source>
        <translation>哪些神经元对散文、中文、代码和对话重要，其中有多少相同。小模型需要几分钟。</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_card.py"/>
        <source>took %1</source>
        <translation>用时 %1</translation>
    </message>
</context>
<context>
    <name>StudyCharts</name>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>%1 activates most neurons (%2), %3 fewest (%4).</source>
        <translation>%1激活的神经元最多（%2），%3最少（%4）。</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>%1 activates most neurons (%2).</source>
        <translation>%1激活的神经元最多（%2）。</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>%1 and %2</source>
        <translation>%1和%2</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>%1 is %2 × as fast as exact.</source>
        <translation>%1档的速度是精确档的 %2 倍。</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>%1 looks at</source>
        <translation>%1档查看</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>%1 of a token's active neurons were active for the token before; by chance it would be about %2.</source>
        <translation>一个词元的活跃神经元中，%1 在上一个词元时也活跃；全凭偶然时大约为 %2。</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>%1 of the %2</source>
        <translation>%2的 %1</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/predictor_charts.py"/>
        <source>%1 of the neurons are active. The nearer to the upper left a predictor comes, the better it is.</source>
        <translation>%1 的神经元活跃。预测器越靠近左上角越好。</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>%1 of the neurons are silent for a token, from %2 in layer %3 to %4 in layer %5.</source>
        <translation>%1 的神经元对一个词元静默，从第 %3 层的 %2 到第 %5 层的 %4。</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>%1 of the neurons suffice within the limit of %2, %3 within that of %4.</source>
        <translation>%1 的神经元足以满足%2档的上限，%3 满足%4档的上限。</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>%1 of the neurons suffice within the limit of %2.</source>
        <translation>%1 的神经元足以满足%2档的上限。</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>%1 of the neurons were never active in this text, %2 at every token.</source>
        <translation>%1 的神经元在这段文本中从不活跃，%2 对每个词元都活跃。</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>%1 tokens</source>
        <translation>%1 个词元</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/axes.py"/>
        <source>%1 tokens/s</source>
        <translation>%1 词元/秒</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>%1 uses a predictor in %2 and a cut in %3 of %4 layers</source>
        <translation>%1档在 %4 层中的 %2 层使用预测器，%3 层使用截断</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>%1, worst 1 %</source>
        <translation>%1，最差的 1%</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>%1.</source>
        <translation>%1。</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>, cut at %1</source>
        <translation>，截断于 %1</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>1 to 99 %</source>
        <translation>1 到 99%</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>1 token</source>
        <translation>1 个词元</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>25 to 75 %</source>
        <translation>25 到 75%</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>5 to 95 %</source>
        <translation>5 到 95%</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>A token needs %1 of the neurons, %2 together %3: the more are read at once, the less is left out.</source>
        <translation>一个词元需要 %1 的神经元，%2 个合起来需要 %3：一次读取的越多，能略去的越少。</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>Active neurons by kind of text</source>
        <translation>按文本种类的活跃神经元</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>Attention heads cannot be left out within these limits.</source>
        <translation>在这些上限之内不能略去注意力头。</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>Bytes read</source>
        <translation>读取的字节</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/predictor_charts.py"/>
        <source>Bytes the best predictor saves at a recall of %1</source>
        <translation>召回率 %1 时最佳预测器节省的字节</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>Ember does not do this yet.</source>
        <translation>Ember 目前还不这样做。</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>Exact is %1 × as fast as computing every neuron.</source>
        <translation>精确档的速度是计算全部神经元的 %1 倍。</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>Exact reads %1 of what every neuron would take, without any loss.</source>
        <translation>精确档读取全部神经元所需的 %1，没有任何损失。</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/predictor_charts.py"/>
        <source>Fewest are named by %1: %2, where %3 are active.</source>
        <translation>%1 指出的最少：%2，其中活跃的为 %3。</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>From token to token</source>
        <translation>从词元到词元</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>Half of the activations are below %1, on the average of the layers; the largest anywhere is %2.</source>
        <translation>各层平均，一半的激活低于 %1；最大的是 %2。</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>Half of the activity comes from %1 of the neurons, 90 % of it from %2.</source>
        <translation>一半的活动来自 %1 的神经元，90% 来自 %2。</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>Hot neurons in common</source>
        <translation>共有的热神经元</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>How few carry the activity</source>
        <translation>活动集中在多少神经元上</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>How large activations are</source>
        <translation>激活有多大</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>If small activations were silenced</source>
        <translation>如果让微小激活静默</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>In %3 of %4 layers half of the activations or more are zero; the largest anywhere is %2.</source>
        <translation>%4 层中有 %3 层的一半或更多激活为零；最大的是 %2。</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>In every layer half of the activations or more are zero; the largest anywhere is %2.</source>
        <translation>每一层都有一半或更多的激活为零；最大的是 %2。</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>KL divergence, nats</source>
        <translation>KL 散度，奈特</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>Loss if only what mattered most is kept</source>
        <translation>只保留最重要的部分时的损失</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>Neurons looked at, by layer</source>
        <translation>各层查看的神经元</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/predictor_charts.py"/>
        <source>Neurons named for a recall of %1</source>
        <translation>召回率 %1 时指出的神经元</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>Neurons that carry 80 % of the activity</source>
        <translation>承担 80% 活动的神经元</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>Never and always</source>
        <translation>从不与始终</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/predictor_charts.py"/>
        <source>No predictor that was tried reaches this recall.</source>
        <translation>试过的预测器都达不到这个召回率。</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>Nothing is ever exactly zero in this model. Counted as silent are the neurons that are not among the largest which together carry 95 % of a token's activity: %1.</source>
        <translation>这个模型中没有精确为零的值。不属于合起来承担一个词元 95% 活动的最大神经元的，都算作静默：%1。</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>Of the attention heads it takes %1 (%2) or %3 (%4).</source>
        <translation>注意力头需要 %1（%2档）或 %3（%4档）。</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>Of the attention heads it takes %1 (%2).</source>
        <translation>注意力头需要 %1（%2档）。</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/predictor_charts.py"/>
        <source>One that runs before attention names %1.</source>
        <translation>在注意力之前运行的预测器指出 %1。</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/predictor_charts.py"/>
        <source>Recall against what is named</source>
        <translation>召回率与指出的神经元</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>Several tokens together</source>
        <translation>多个词元合起来</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>Silent neurons</source>
        <translation>静默的神经元</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>Speed of decoding</source>
        <translation>解码速度</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>The most active %1</source>
        <translation>最活跃的 %1</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>These neurons are hot: %1 of all, on the average.</source>
        <translation>这些神经元是热的：平均占全部的 %1。</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>Tokens whose likeliest next token changes</source>
        <translation>最可能的下一个词元发生改变的词元</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>With %1 of the %2, %3 of the tokens would be followed by another one.</source>
        <translation>用%2的 %1 时，%3 的词元之后会是另一个词元。</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>With an error of at most %2 in each layer, the smallest %1 of the neurons could be silenced.</source>
        <translation>如果每层误差至多为 %2，可以让最小的 %1 的神经元静默。</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>Within the limits of the tiers none of the shares that were tried suffices, short of all neurons.</source>
        <translation>在各档位的上限之内，试过的比例都不够，必须用全部神经元。</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/predictor_charts.py"/>
        <source>a token</source>
        <translation>每词元</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/predictor_charts.py"/>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>active</source>
        <translation>活跃</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>active at every token</source>
        <translation>每个词元都活跃</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>active before as well</source>
        <translation>之前也活跃</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/predictor_charts.py"/>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>active: %1</source>
        <translation>活跃：%1</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>attention heads</source>
        <translation>注意力头</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>by layer: %1 to %2</source>
        <translation>各层：%1 到 %2</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>consecutive tokens</source>
        <translation>连续词元</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/predictor_charts.py"/>
        <source>costs more than it saves</source>
        <translation>代价大于节省</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>each layer</source>
        <translation>各层</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>every neuron</source>
        <translation>全部神经元</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>exact zeros</source>
        <translation>精确为零</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>for a token</source>
        <translation>对一个词元</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>hot neurons in common: %1</source>
        <translation>共有的热神经元：%1</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>if left to chance</source>
        <translation>如果全凭偶然</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/axes.py"/>
        <source>kept</source>
        <translation>保留</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>largest</source>
        <translation>最大</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/axes.py"/>
        <source>layer</source>
        <translation>层</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/axes.py"/>
        <source>layer %1</source>
        <translation>第 %1 层</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>layers: %1 to %2</source>
        <translation>各层：%1 到 %2</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>lowest to highest layer</source>
        <translation>最低到最高的层</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>mean</source>
        <translation>平均</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>mean KL: %1
worst 1 %: %2
other likeliest token: %3
perplexity: %4</source>
        <translation>平均 KL：%1
最差的 1%：%2
最可能的词元改变：%3
困惑度：%4</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>mean: %1</source>
        <translation>平均：%1</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>median</source>
        <translation>中位数</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>most active neurons</source>
        <translation>最活跃的神经元</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/predictor_charts.py"/>
        <source>named, of the neurons</source>
        <translation>指出的神经元比例</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/predictor_charts.py"/>
        <source>named: %1
recall: %2, weighted %3
precision: %4
saves a layer: %5</source>
        <translation>指出：%1
召回率：%2，加权 %3
查准率：%4
每层节省：%5</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>neurons</source>
        <translation>神经元</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>never active</source>
        <translation>从不活跃</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>no predictor</source>
        <translation>没有预测器</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/predictor_charts.py"/>
        <source>no predictor reaches the recall</source>
        <translation>没有预测器达到这个召回率</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>not compared</source>
        <translation>未比较</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>of a token's active neurons</source>
        <translation>占一个词元的活跃神经元</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>of the activity</source>
        <translation>占活动的比例</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <location filename="../../app/window/neurons/predictor_charts.py"/>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>of the neurons</source>
        <translation>占神经元的比例</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>of the neurons active for any</source>
        <translation>对任一词元活跃的神经元</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>of the neurons, for a token</source>
        <translation>占神经元的比例，对一个词元</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>of the tokens</source>
        <translation>占词元的比例</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/predictor_charts.py"/>
        <source>saves</source>
        <translation>节省</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/predictor_charts.py"/>
        <source>saves %1 a token
named: %2</source>
        <translation>每词元节省 %1
指出：%2</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>silenced</source>
        <translation>静默</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>silenced: %1
error of the output: %2</source>
        <translation>静默：%1
输出误差：%2</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>silent</source>
        <translation>静默</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>size of activations</source>
        <translation>激活的大小</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>squared error of a layer's output</source>
        <translation>层输出的平方误差</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>tokens/s</source>
        <translation>词元/秒</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/predictor_charts.py"/>
        <source>weighted recall</source>
        <translation>加权召回率</translation>
    </message>
</context>
<context>
    <name>StudyDetails</name>
    <message>
        <location filename="../../app/window/neurons/study_details.py"/>
        <source>Figures for programs (JSON)…</source>
        <translation>供程序使用的数据（JSON）…</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_details.py"/>
        <source>Layer shown in the plots</source>
        <translation>图中显示的层</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_details.py"/>
        <source>Picture of the whole page (PNG)…</source>
        <translation>整页的图片（PNG）…</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_details.py"/>
        <source>Picture of this report (PNG)…</source>
        <translation>这份报告的图片（PNG）…</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_details.py"/>
        <source>Plots show:</source>
        <translation>图中显示：</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_details.py"/>
        <source>Report as a web page (HTML)…</source>
        <translation>网页形式的报告（HTML）…</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_details.py"/>
        <source>Save the report: %1</source>
        <translation>保存报告：%1</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_details.py"/>
        <source>Save…</source>
        <translation>保存…</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_details.py"/>
        <source>Show the tables</source>
        <translation>显示表格</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_details.py"/>
        <source>Show the tables: %1</source>
        <translation>显示表格：%1</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_details.py"/>
        <source>Where this is from</source>
        <translation>数据来源</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_details.py"/>
        <source>layer %1</source>
        <translation>第 %1 层</translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_details.py"/>
        <source>mean of all layers</source>
        <translation>所有层的平均</translation>
    </message>
</context>
<context>
    <name>TableView</name>
    <message>
        <location filename="../../app/window/transcript/table_view.py"/>
        <source>Table</source>
        <translation>表格</translation>
    </message>
</context>
<context>
    <name>TemplateControl</name>
    <message>
        <location filename="../../app/window/template_control.py"/>
        <source>Restart it, and open this window again.</source>
        <translation>请重启它，然后重新打开这个窗口。</translation>
    </message>
    <message>
        <location filename="../../app/window/template_control.py"/>
        <source>The engine has stopped.</source>
        <translation>引擎已停止。</translation>
    </message>
</context>
<context>
    <name>TemplateDialog</name>
    <message>
        <location filename="../../app/window/template_dialog.py"/>
        <source>About 384,000 km.</source>
        <translation>大约 384,000 千米。</translation>
    </message>
    <message>
        <location filename="../../app/window/template_dialog.py"/>
        <source>And the sun?</source>
        <translation>太阳呢？</translation>
    </message>
    <message>
        <location filename="../../app/window/template_dialog.py"/>
        <source>Another template is used in place of the model’s own.</source>
        <translation>使用了另一个模板代替模型自带的。</translation>
    </message>
    <message>
        <location filename="../../app/window/template_dialog.py"/>
        <source>Answer briefly.</source>
        <translation>请简短回答。</translation>
    </message>
    <message>
        <location filename="../../app/window/template_dialog.py"/>
        <source>Back to the model’s own</source>
        <translation>恢复为模型自带的</translation>
    </message>
    <message>
        <location filename="../../app/window/template_dialog.py"/>
        <source>Chat template of %1</source>
        <translation>%1 的对话模板</translation>
    </message>
    <message>
        <location filename="../../app/window/template_dialog.py"/>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <location filename="../../app/window/template_dialog.py"/>
        <source>How far away is the moon?</source>
        <translation>月亮有多远？</translation>
    </message>
    <message>
        <location filename="../../app/window/template_dialog.py"/>
        <source>It cannot be used: %1.</source>
        <translation>无法使用：%1。</translation>
    </message>
    <message>
        <location filename="../../app/window/template_dialog.py"/>
        <source>It works.</source>
        <translation>可用。</translation>
    </message>
    <message>
        <location filename="../../app/window/template_dialog.py"/>
        <source>It works: %1 tokens.</source>
        <translation>可用：%1 个词元。</translation>
    </message>
    <message>
        <location filename="../../app/window/template_dialog.py"/>
        <source>Line %1: %2.</source>
        <translation>第 %1 行：%2。</translation>
    </message>
    <message>
        <location filename="../../app/window/template_dialog.py"/>
        <source>Reading the template…</source>
        <translation>正在读取模板…</translation>
    </message>
    <message>
        <location filename="../../app/window/template_dialog.py"/>
        <source>Template</source>
        <translation>模板</translation>
    </message>
    <message>
        <location filename="../../app/window/template_dialog.py"/>
        <source>The model came without a template: conversations are put to it as questions and answers.</source>
        <translation>模型没有自带模板：对话会作为问答交给它。</translation>
    </message>
    <message>
        <location filename="../../app/window/template_dialog.py"/>
        <source>The model came without a template; Ember uses the form it was trained with (%1).</source>
        <translation>模型没有自带模板；Ember 使用它训练时的格式（%1）。</translation>
    </message>
    <message>
        <location filename="../../app/window/template_dialog.py"/>
        <source>The model’s own template is used from the next message on.</source>
        <translation>从下一条消息起使用模型自带的模板。</translation>
    </message>
    <message>
        <location filename="../../app/window/template_dialog.py"/>
        <source>There is nothing in it.</source>
        <translation>其中没有内容。</translation>
    </message>
    <message>
        <location filename="../../app/window/template_dialog.py"/>
        <source>This template came with the model. Another one can be used in its place.</source>
        <translation>这个模板是模型自带的。可以用另一个代替它。</translation>
    </message>
    <message>
        <location filename="../../app/window/template_dialog.py"/>
        <source>This template is used from the next message on.</source>
        <translation>从下一条消息起使用这个模板。</translation>
    </message>
    <message>
        <location filename="../../app/window/template_dialog.py"/>
        <source>Use this template</source>
        <translation>使用这个模板</translation>
    </message>
    <message>
        <location filename="../../app/window/template_dialog.py"/>
        <source>What is written by the template itself is coloured.</source>
        <translation>由模板本身写出的部分带有颜色。</translation>
    </message>
    <message>
        <location filename="../../app/window/template_dialog.py"/>
        <source>What the model reads</source>
        <translation>模型读取的内容</translation>
    </message>
    <message>
        <location filename="../../app/window/template_dialog.py"/>
        <source>With a system prompt</source>
        <translation>带系统提示词</translation>
    </message>
</context>
<context>
    <name>TemporaryBar</name>
    <message>
        <location filename="../../app/window/chats/temporary_bar.py"/>
        <source>Keep this chat</source>
        <translation>保留这个对话</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/temporary_bar.py"/>
        <source>Temporary chat: it is saved nowhere and is gone when Ember is closed.</source>
        <translation>临时对话：不保存到任何地方，关闭 Ember 后就没有了。</translation>
    </message>
</context>
<context>
    <name>TierChip</name>
    <message>
        <location filename="../../app/window/top_bar.py"/>
        <source>Answers are computed: %1</source>
        <translation>回答的计算方式：%1</translation>
    </message>
</context>
<context>
    <name>Toast</name>
    <message>
        <location filename="../../app/window/toast.py"/>
        <source>Action</source>
        <translation>操作</translation>
    </message>
</context>
<context>
    <name>TopBar</name>
    <message>
        <location filename="../../app/window/top_bar.py"/>
        <source>Answer settings</source>
        <translation>回答设置</translation>
    </message>
    <message>
        <location filename="../../app/window/top_bar.py"/>
        <source>Menu</source>
        <translation>菜单</translation>
    </message>
    <message>
        <location filename="../../app/window/top_bar.py"/>
        <source>New chat</source>
        <translation>新对话</translation>
    </message>
    <message>
        <location filename="../../app/window/top_bar.py"/>
        <source>Show or hide the list of conversations</source>
        <translation>显示或隐藏对话列表</translation>
    </message>
</context>
<context>
    <name>TranscriptSelection</name>
    <message>
        <location filename="../../app/window/transcript/selection.py"/>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <location filename="../../app/window/transcript/selection.py"/>
        <source>Copy as plain text</source>
        <translation>复制为纯文本</translation>
    </message>
    <message>
        <location filename="../../app/window/transcript/selection.py"/>
        <source>Copy link</source>
        <translation>复制链接</translation>
    </message>
    <message>
        <location filename="../../app/window/transcript/selection.py"/>
        <source>Select the whole conversation</source>
        <translation>选择整个对话</translation>
    </message>
</context>
<context>
    <name>TranscriptView</name>
    <message>
        <location filename="../../app/window/transcript/transcript_view.py"/>
        <source>Answer</source>
        <translation>回答</translation>
    </message>
    <message>
        <location filename="../../app/window/transcript/transcript_view.py"/>
        <source>Conversation</source>
        <translation>对话</translation>
    </message>
    <message>
        <location filename="../../app/window/transcript/transcript_view.py"/>
        <source>Jump to the latest message</source>
        <translation>跳到最新的消息</translation>
    </message>
    <message>
        <location filename="../../app/window/transcript/transcript_view.py"/>
        <source>You</source>
        <translation>您</translation>
    </message>
</context>
<context>
    <name>TrashDialog</name>
    <message>
        <location filename="../../app/window/models/library_dialogs.py"/>
        <source>%1 are freed. This cannot be undone.</source>
        <translation>将释放 %1。此操作无法撤销。</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/trash_dialog.py"/>
        <source>%1 days</source>
        <translation>%1 天</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/trash_dialog.py"/>
        <source>1 day</source>
        <translation>1 天</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/trash_dialog.py"/>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/trash_dialog.py"/>
        <source>Conversation</source>
        <translation>对话</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/trash_dialog.py"/>
        <source>Conversations in the trash</source>
        <translation>回收站中的对话</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/trash_dialog.py"/>
        <source>Conversations stay here for %1 days and are then deleted for good at the next start.</source>
        <translation>对话在这里保留 %1 天，之后在下次启动时彻底删除。</translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_dialogs.py"/>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/trash_dialog.py"/>
        <source>Delete %1 conversations for good?</source>
        <translation>彻底删除 %1 个对话？</translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_dialogs.py"/>
        <source>Delete %1 for good</source>
        <translation>彻底删除 %1</translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_dialogs.py"/>
        <source>Delete %1 for good?</source>
        <translation>彻底删除 %1？</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/trash_dialog.py"/>
        <source>Delete for good</source>
        <translation>彻底删除</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/trash_dialog.py"/>
        <source>Delete this conversation for good?</source>
        <translation>彻底删除这个对话？</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/trash_dialog.py"/>
        <source>Deleted</source>
        <translation>删除时间</translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_dialogs.py"/>
        <source>Delete…</source>
        <translation>删除…</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/trash_dialog.py"/>
        <location filename="../../app/window/models/library_dialogs.py"/>
        <source>Empty the trash</source>
        <translation>清空回收站</translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_dialogs.py"/>
        <source>Empty the trash?</source>
        <translation>清空回收站？</translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_dialogs.py"/>
        <source>Empty the trash…</source>
        <translation>清空回收站…</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/trash_dialog.py"/>
        <source>Kept for</source>
        <translation>保留</translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_dialogs.py"/>
        <source>Models stay here for 30 days. The drive has their room again once they are deleted for good.</source>
        <translation>模型在这里保留 30 天。彻底删除后磁盘空间才会释放。</translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_dialogs.py"/>
        <source>Put %1 back</source>
        <translation>放回 %1</translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_dialogs.py"/>
        <source>Put back</source>
        <translation>放回</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/trash_dialog.py"/>
        <source>Restore</source>
        <translation>恢复</translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_dialogs.py"/>
        <source>The trash is empty.</source>
        <translation>回收站是空的。</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/trash_dialog.py"/>
        <source>The trash is empty. What you delete stays here for %1 days.</source>
        <translation>回收站是空的。您删除的内容在这里保留 %1 天。</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/trash_dialog.py"/>
        <source>This cannot be undone.</source>
        <translation>此操作无法撤销。</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/trash_dialog.py"/>
        <location filename="../../app/window/models/library_dialogs.py"/>
        <source>Trash</source>
        <translation>回收站</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/trash_dialog.py"/>
        <source>Untitled</source>
        <translation>无标题</translation>
    </message>
</context>
<context>
    <name>UserMessageView</name>
    <message>
        <location filename="../../app/window/transcript/message_view.py"/>
        <source>Answer this message</source>
        <translation>回答这条消息</translation>
    </message>
    <message>
        <location filename="../../app/window/transcript/message_view.py"/>
        <source>Edit message</source>
        <translation>编辑消息</translation>
    </message>
    <message>
        <location filename="../../app/window/transcript/message_view.py"/>
        <source>More</source>
        <translation>更多</translation>
    </message>
    <message>
        <location filename="../../app/window/transcript/message_view.py"/>
        <source>Your message</source>
        <translation>您的消息</translation>
    </message>
</context>
<context>
    <name>VersionSwitch</name>
    <message>
        <location filename="../../app/window/transcript/answer_footer.py"/>
        <source>Next version</source>
        <translation>下一个版本</translation>
    </message>
    <message>
        <location filename="../../app/window/transcript/answer_footer.py"/>
        <source>Previous version</source>
        <translation>上一个版本</translation>
    </message>
</context>
<context>
    <name>WelcomeDialog</name>
    <message>
        <location filename="../../app/window/wizard/welcome.py"/>
        <source>Back</source>
        <translation>返回</translation>
    </message>
    <message>
        <location filename="../../app/window/wizard/welcome.py"/>
        <source>Next</source>
        <translation>下一步</translation>
    </message>
    <message>
        <location filename="../../app/window/wizard/welcome.py"/>
        <source>Skip all</source>
        <translation>全部跳过</translation>
    </message>
    <message>
        <location filename="../../app/window/wizard/welcome.py"/>
        <source>Start chatting</source>
        <translation>开始对话</translation>
    </message>
    <message>
        <location filename="../../app/window/wizard/welcome.py"/>
        <source>Welcome to Ember</source>
        <translation>欢迎使用 Ember</translation>
    </message>
</context>
<context>
    <name>WindowActions</name>
    <message>
        <location filename="../../app/window/window_actions.py"/>
        <source>About Ember</source>
        <translation>关于 Ember</translation>
    </message>
    <message>
        <location filename="../../app/window/window_actions.py"/>
        <source>Add files to the message…</source>
        <translation>为消息添加文件…</translation>
    </message>
    <message>
        <location filename="../../app/window/window_actions.py"/>
        <source>Answer again</source>
        <translation>重新回答</translation>
    </message>
    <message>
        <location filename="../../app/window/window_actions.py"/>
        <source>Answer settings</source>
        <translation>回答设置</translation>
    </message>
    <message>
        <location filename="../../app/window/window_actions.py"/>
        <source>Choose a model…</source>
        <translation>选择模型…</translation>
    </message>
    <message>
        <location filename="../../app/window/window_actions.py"/>
        <source>Commands</source>
        <translation>命令</translation>
    </message>
    <message>
        <location filename="../../app/window/window_actions.py"/>
        <source>Continue the answer</source>
        <translation>继续回答</translation>
    </message>
    <message>
        <location filename="../../app/window/window_actions.py"/>
        <source>Conversation</source>
        <translation>对话</translation>
    </message>
    <message>
        <location filename="../../app/window/window_actions.py"/>
        <source>Copy last answer</source>
        <translation>复制上一个回答</translation>
    </message>
    <message>
        <location filename="../../app/window/window_actions.py"/>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <location filename="../../app/window/window_actions.py"/>
        <source>Delete conversation</source>
        <translation>删除对话</translation>
    </message>
    <message>
        <location filename="../../app/window/window_actions.py"/>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <location filename="../../app/window/window_actions.py"/>
        <source>Edit prompts…</source>
        <translation>编辑提示词…</translation>
    </message>
    <message>
        <location filename="../../app/window/window_actions.py"/>
        <source>Export conversation…</source>
        <translation>导出对话…</translation>
    </message>
    <message>
        <location filename="../../app/window/window_actions.py"/>
        <source>Find in this conversation</source>
        <translation>在这个对话中查找</translation>
    </message>
    <message>
        <location filename="../../app/window/window_actions.py"/>
        <source>Follow the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <location filename="../../app/window/window_actions.py"/>
        <source>Import conversations…</source>
        <translation>导入对话…</translation>
    </message>
    <message>
        <location filename="../../app/window/window_actions.py"/>
        <source>Larger</source>
        <translation>放大</translation>
    </message>
    <message>
        <location filename="../../app/window/window_actions.py"/>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <location filename="../../app/window/window_actions.py"/>
        <source>Logs</source>
        <translation>日志</translation>
    </message>
    <message>
        <location filename="../../app/window/window_actions.py"/>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <location filename="../../app/window/window_actions.py"/>
        <source>Neurons</source>
        <translation>神经元</translation>
    </message>
    <message>
        <location filename="../../app/window/window_actions.py"/>
        <source>New chat</source>
        <translation>新对话</translation>
    </message>
    <message>
        <location filename="../../app/window/window_actions.py"/>
        <source>New temporary chat</source>
        <translation>新临时对话</translation>
    </message>
    <message>
        <location filename="../../app/window/window_actions.py"/>
        <source>Next conversation</source>
        <translation>下一个对话</translation>
    </message>
    <message>
        <location filename="../../app/window/window_actions.py"/>
        <source>Next version of the answer</source>
        <translation>回答的下一个版本</translation>
    </message>
    <message>
        <location filename="../../app/window/window_actions.py"/>
        <source>Previous conversation</source>
        <translation>上一个对话</translation>
    </message>
    <message>
        <location filename="../../app/window/window_actions.py"/>
        <source>Previous version of the answer</source>
        <translation>回答的上一个版本</translation>
    </message>
    <message>
        <location filename="../../app/window/window_actions.py"/>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <location filename="../../app/window/window_actions.py"/>
        <source>Rename conversation</source>
        <translation>重命名对话</translation>
    </message>
    <message>
        <location filename="../../app/window/window_actions.py"/>
        <source>Search conversations</source>
        <translation>搜索对话</translation>
    </message>
    <message>
        <location filename="../../app/window/window_actions.py"/>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <location filename="../../app/window/window_actions.py"/>
        <source>Shortcuts</source>
        <translation>快捷键</translation>
    </message>
    <message>
        <location filename="../../app/window/window_actions.py"/>
        <source>Show conversations</source>
        <translation>显示对话列表</translation>
    </message>
    <message>
        <location filename="../../app/window/window_actions.py"/>
        <source>Size %1</source>
        <translation>大小 %1</translation>
    </message>
    <message>
        <location filename="../../app/window/window_actions.py"/>
        <source>Smaller</source>
        <translation>缩小</translation>
    </message>
    <message>
        <location filename="../../app/window/window_actions.py"/>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <location filename="../../app/window/window_actions.py"/>
        <source>Stop the answer</source>
        <translation>停止回答</translation>
    </message>
    <message>
        <location filename="../../app/window/window_actions.py"/>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <location filename="../../app/window/window_actions.py"/>
        <source>Trash…</source>
        <translation>回收站…</translation>
    </message>
    <message>
        <location filename="../../app/window/window_actions.py"/>
        <source>Usual size</source>
        <translation>默认大小</translation>
    </message>
    <message>
        <location filename="../../app/window/window_actions.py"/>
        <source>Write %1 more versions</source>
        <translation>再写 %1 个版本</translation>
    </message>
</context>
<context>
    <name>WithoutCard</name>
    <message>
        <location filename="../../app/window/device/cards_card.py"/>
        <source>A card to reckon with</source>
        <translation>要估算的显卡</translation>
    </message>
    <message>
        <location filename="../../app/window/device/cards_card.py"/>
        <source>Main memory was measured here at %1. What stays on the processor is read no faster, with or without a card: that is the limit of what one can bring.</source>
        <translation>这里测得的内存速度为 %1。留在处理器上的部分不会读得更快，无论有没有显卡：这就是显卡能带来的好处的上限。</translation>
    </message>
    <message>
        <location filename="../../app/window/device/cards_card.py"/>
        <source>What a card would bring</source>
        <translation>显卡能带来什么</translation>
    </message>
    <message>
        <location filename="../../app/window/device/cards_card.py"/>
        <source>What it would be with:</source>
        <translation>有了它会怎样：</translation>
    </message>
    <message>
        <location filename="../../app/window/device/cards_card.py"/>
        <source>With a card, Ember keeps the neurons that fire most often, and attention, in the card's memory and computes the others here at the same time. A card's memory is usually read much faster than main memory. Nothing of an answer is lost, and a model need not fit the card as a whole.</source>
        <translation>有显卡时，Ember 把最常激活的神经元和注意力放在显存中，同时在这里计算其余的神经元。显存的读取速度通常比内存快得多。回答没有任何损失，模型也不必整个放进显卡。</translation>
    </message>
    <message>
        <location filename="../../app/window/device/cards_card.py"/>
        <source>Working it out; where this computer was not measured yet, that comes first…</source>
        <translation>正在计算；如果这台电脑还没有测量过，会先测量…</translation>
    </message>
    <message>
        <location filename="../../app/window/device/cards_card.py"/>
        <source>choose a card</source>
        <translation>选择显卡</translation>
    </message>
</context>
<context>
    <name>Wording</name>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>%1 % of neurons active</source>
        <translation>%1% 的神经元活跃</translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>%1 of %2 read for a token</source>
        <translation>每词元读取 %2 中的 %1</translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>%1 parameters</source>
        <translation>%1 个参数</translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>%1 tokens</source>
        <translation>%1 个词元</translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>%1 tokens/s</source>
        <translation>%1 词元/秒</translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>%1: %2 %</source>
        <translation>%1：%2%</translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>%1: %2 of %3</source>
        <translation>%1：%2 / %3</translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>%1: less is read; the next word's probabilities move by %2 nats on the average, at most</source>
        <translation>%1：读取较少；下一个词的概率平均至多变化 %2 奈特</translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>1 token</source>
        <translation>1 个词元</translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>Answer: %1 tokens in %2 s after the first</source>
        <translation>回答：首个词元之后 %2 秒内 %1 个词元</translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>Answering twice</source>
        <translation>正在回答两次</translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>Checking the file</source>
        <translation>正在检查文件</translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>Choosing for every layer</source>
        <translation>正在为每层选择</translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>Comparing tokens with the reference</source>
        <translation>正在把词元与参考对照</translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>Exact: nothing is lost</source>
        <translation>精确：没有任何损失</translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>First token %1 s after sending</source>
        <translation>发送后 %1 秒出现首个词元</translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>Making random weights</source>
        <translation>正在生成随机权重</translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>Measuring decoding</source>
        <translation>正在测量解码</translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>Measuring how fast memory is read</source>
        <translation>正在测量内存读取速度</translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>Measuring on text that was held out</source>
        <translation>正在用预留的文本测量</translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>Measuring the reading of prompts</source>
        <translation>正在测量提示词读取</translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>Measuring this computer (once)</source>
        <translation>正在测量这台电脑（仅一次）</translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>Neurons: %1 % looked at past their first product, %2 % active; by layer %3 to %4 %</source>
        <translation>神经元：%1% 查看超过第一次乘积，%2% 活跃；各层 %3 到 %4%</translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>Preparing the compute kernels</source>
        <translation>正在准备计算内核</translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>Preparing the model (once)</source>
        <translation>正在准备模型（仅一次）</translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>Prompt: %1 tokens, %2 of them still in memory from before; the rest read in %3 s</source>
        <translation>提示词：%1 个词元，其中 %2 个仍在内存中；其余用 %3 秒读取</translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>Reading the conversation</source>
        <translation>正在读取对话</translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>Reading the model into memory</source>
        <translation>正在把模型读入内存</translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>Reading what its weights are</source>
        <translation>正在读取权重信息</translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>Taking turns with other engines</source>
        <translation>正在与其他引擎轮流测量</translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>Tier: %1; %2 tokens were also computed exactly, and the next word's probabilities were %3 nats apart</source>
        <translation>档位：%1；另有 %2 个词元精确计算过，下一个词的概率相差 %3 奈特</translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>Tier: %1; the answer is too short for one of its tokens to have been checked</source>
        <translation>档位：%1；回答太短，没有词元被检查</translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>Training predictors</source>
        <translation>正在训练预测器</translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>Waiting for its turn…</source>
        <translation>排队等待…</translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>Watching neurons while text is read</source>
        <translation>正在读取文本并观察神经元</translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>being prepared</source>
        <translation>正在准备</translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>billion parameters</source>
        <translation>B 参数</translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>ended at the length limit</source>
        <translation>达到长度上限而结束</translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>ended at the stop string “%1”</source>
        <translation>遇到停止字符串“%1”而结束</translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>ended because the context is full</source>
        <translation>上下文已满而结束</translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>first token after %1 s</source>
        <translation>%1 秒后出现首个词元</translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>interrupted</source>
        <translation>已中断</translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>licence not stated</source>
        <translation>未说明许可证</translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>million parameters</source>
        <translation>M 参数</translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>neurons: card %1 %, processor %2 %</source>
        <translation>神经元：显卡 %1%，处理器 %2%</translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>not prepared yet</source>
        <translation>尚未准备</translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>prompt %1 tokens/s</source>
        <translation>提示词 %1 词元/秒</translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>tier %1, mean KL %2 at %3 tokens checked</source>
        <translation>%1档，在检查的 %3 个词元上平均 KL 为 %2</translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>tier %1, mean KL %2 at 1 token checked</source>
        <translation>%1档，在检查的 1 个词元上平均 KL 为 %2</translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>tier %1, too short to be checked</source>
        <translation>%1档，太短，未检查</translation>
    </message>
</context>
<context>
    <name>Words</name>
    <message>
        <location filename="../../app/language.py"/>
        <source> </source>
        <translation>​</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source> (on it: {names})</source>
        <translation>（使用者：{names}）</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source> on the card</source>
        <translation>（在显卡上）</translation>
    </message>
    <message>
        <location filename="../../app/settings_file.py"/>
        <source>(several values)</source>
        <translation>（多个值）</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <location filename="../../app/catalog_words.py"/>
        <location filename="../../app/neuron_charts.py"/>
        <location filename="../../app/neuron_text.py"/>
        <location filename="../../app/neuron_words.py"/>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>0 or more</source>
        <translation>0 或更大</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>0 to 1</source>
        <translation>0 到 1</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>1 file</source>
        <translation>1 个文件</translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>1 model in the trash, {size}</source>
        <translation>回收站中有 1 个模型，{size}</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>1 or more</source>
        <translation>1 或更大</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>1 other ({size}) is left where it is</source>
        <translation>另外 1 个（{size}）不下载</translation>
    </message>
    <message>
        <location filename="../../app/window/device/machine_card.py"/>
        <source>1 thread</source>
        <translation>1 个线程</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>1 to 200</source>
        <translation>1 到 200</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>99 of 100 tokens are below</source>
        <translation>100 个词元中有 99 个低于</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <location filename="../../app/neuron_text.py"/>
        <location filename="../../app/window/context_words.py"/>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>; </source>
        <translation>；</translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>A census says how few neurons carry the activity, and what silencing small activations would cost: ember profile {model} --census</source>
        <translation>普查会说明活动集中在多少神经元上，以及让微小激活静默的代价：ember profile {model} --census</translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>A connection is made</source>
        <translation>建立连接</translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>A file can be read from the middle</source>
        <translation>可以从中间读取文件</translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>A firewall may be in the way, or nobody may listen there. Where this network demands a proxy, set it.</source>
        <translation>可能被防火墙拦截，或者对方没有服务。如果所在网络要求使用代理，请设置代理。</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>A larger budget takes work from it.</source>
        <translation>更大的预算可以分担它的工作。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>A layer reads {size} without a predictor. Below zero a predictor costs more.</source>
        <translation>没有预测器时一层读取 {size}。低于零表示预测器的代价更大。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>A neuron is active where its product is not zero; leaving the others out changes nothing.</source>
        <translation>乘积不为零的神经元是活跃的；略去其他神经元不会改变任何结果。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>A predictor pays where the rows it saves are more bytes than it reads itself.</source>
        <translation>当节省的行的字节多于预测器自身读取的字节时，它才划算。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>A quota of your user may be used up. Free some space, or choose a folder on another drive.</source>
        <translation>您的用户配额可能已用完。请腾出一些空间，或选择其他磁盘上的文件夹。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>A study cannot read {value} tokens: {reason} is possible.</source>
        <translation>研究不能读取 {value} 个词元：可用范围是 {reason}。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>A text is too long for the file with your conversations: {path} ({reason}).</source>
        <translation>文字太长，无法写入保存对话的文件：{path}（{reason}）。</translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>A token for {endpoint} is in a file that only you can read; no keyring kept it.</source>
        <translation>{endpoint} 的访问令牌保存在只有您能读取的文件中；没有可用的密钥环。</translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>A token for {endpoint} is in this system's keyring.</source>
        <translation>{endpoint} 的访问令牌保存在系统的密钥环中。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>Activation profile</source>
        <translation>激活画像</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>Active</source>
        <translation>活跃</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>Active by use</source>
        <translation>按用途的活跃</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>Activity</source>
        <translation>活动</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Add one that was measured on other text.</source>
        <translation>请添加在其他文本上测得的画像。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Add profiles of the same model in the same format only.</source>
        <translation>只能添加同一模型、同一格式的画像。</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>All of it would take {needed} on the card, and {available} are free there. The processor does the rest.</source>
        <translation>全部放进显卡需要 {needed}，显卡空闲 {available}。其余由处理器完成。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Allow writing to this file and its folder, and try again.</source>
        <translation>请允许写入这个文件和它的文件夹，然后重试。</translation>
    </message>
    <message>
        <location filename="../../assets/catalog.toml"/>
        <source>An early model with nearly silent neurons, for research only.</source>
        <translation>神经元接近静默的早期模型，仅供研究。</translation>
    </message>
    <message>
        <location filename="../../assets/catalog.toml"/>
        <source>An early model with nearly silent neurons, for research only. The smallest there is.</source>
        <translation>神经元接近静默的早期模型，仅供研究。最小的一个。</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>Another program needs the card's memory.</source>
        <translation>其他程序需要显存。</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>Another program needs the card: Ember gave back {given}.</source>
        <translation>其他程序需要显卡：Ember 归还了 {given}。</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>Another program took {taken}: Ember gave back {given}.</source>
        <translation>其他程序占用了 {taken}：Ember 归还了 {given}。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>Apr</source>
        <translation>4 月</translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>Asking the hub what to fetch</source>
        <translation>正在询问 Hub 要下载什么</translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>Attention heads kept</source>
        <translation>保留的注意力头</translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>Aug</source>
        <translation>8 月</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>Benchmark: {subject}</source>
        <translation>基准测试：{subject}</translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>Best predictor of every layer</source>
        <translation>每层的最佳预测器</translation>
    </message>
    <message>
        <location filename="../../assets/catalog.toml"/>
        <source>Blocks of neurons chosen by a ReLU.</source>
        <translation>由 ReLU 选择的神经元块。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>By use</source>
        <translation>按用途</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>Bytes read</source>
        <translation>读取的字节</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>Bytes read for a token</source>
        <translation>每个词元读取的字节</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>Bytes saved at {recall} recall</source>
        <translation>召回率 {recall} 时节省的字节</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>Cannot be judged before it is here</source>
        <translation>下载之前无法判断</translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>Census</source>
        <translation>普查</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Check that its drive is connected and that you may read and write there.</source>
        <translation>请检查磁盘是否已连接，以及您是否有读写权限。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Check that the card is seated and switched on, and in a container that the card is passed through to it.</source>
        <translation>请检查显卡是否插好并通电；在容器中请检查显卡是否已传入容器。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Check that the file is still there, that its drive is connected, and that you may read it.</source>
        <translation>请检查文件是否还在、磁盘是否已连接，以及您是否有读取权限。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Check the address of the hub or mirror, and whether a proxy asks you to sign in. Then try again.</source>
        <translation>请检查 Hub 或镜像的地址，以及代理是否要求您登录。然后重试。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Check the name. For a private repository, enter a token that may read it.</source>
        <translation>请检查名称。如果是私有仓库，请输入有权读取它的访问令牌。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Check the network and the proxy; if this hub is blocked where you are, set a mirror. Downloads go on trying.</source>
        <translation>请检查网络和代理；如果这个 Hub 在您那里被屏蔽，请设置镜像。下载会继续尝试。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Check the permissions of this folder, or set EMBER_HOME to a folder of yours and start Ember again.</source>
        <translation>请检查这个文件夹的权限，或把 EMBER_HOME 设为您自己的文件夹，然后重新启动 Ember。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Check the token: it may have expired, or may not be allowed to read this repository.</source>
        <translation>请检查访问令牌：它可能已过期，或者无权读取这个仓库。</translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>Checking what arrived</source>
        <translation>正在校验</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <location filename="../../app/neuron_words.py"/>
        <source>Chinese</source>
        <translation>中文</translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>Choices of {tier}</source>
        <translation>{tier}档的选择</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Choose a card on the Device page, or in a terminal with --card auto, and load the model again.</source>
        <translation>请在“设备”页选择显卡，或在终端中使用 --card auto，然后重新加载模型。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Choose a file with text in it.</source>
        <translation>请选择含有文本的文件。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Choose a folder of your own for models, for example in your home folder or on another drive.</source>
        <translation>请为模型选择您自己的文件夹，例如主目录中或其他磁盘上的文件夹。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Choose a longer text, or several files.</source>
        <translation>请选择更长的文本，或多个文件。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Choose a model from the list; it may have been removed.</source>
        <translation>请从列表中选择模型；它可能已被移除。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Choose a part of it, of at most 250 MB.</source>
        <translation>请选择其中的一部分，最多 250 MB。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Choose a smaller budget, or close programs that use the card.</source>
        <translation>请选择更小的预算，或关闭使用显卡的程序。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Choose a text file, not a folder.</source>
        <translation>请选择文本文件，而不是文件夹。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Choose a text file, or save this one in UTF-8 with an editor.</source>
        <translation>请选择文本文件，或用编辑器将此文件另存为 UTF-8。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Choose among these.</source>
        <translation>请从这些中选择。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Choose another model, or wait until its download and preparation have ended, and try again.</source>
        <translation>请选择其他模型，或等它的下载和准备结束后重试。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Choose another model. No weights of it were fetched.</source>
        <translation>请选择其他模型。没有下载它的权重。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Choose another model. The file itself is intact and was not changed.</source>
        <translation>请选择其他模型。文件本身完好，没有被改动。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Choose another number.</source>
        <translation>请选择其他数字。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Choose another one. Ember imports GGUF files, and folders with config.json and safetensors or torch weights.</source>
        <translation>请选择其他文件。Ember 可以导入 GGUF 文件，以及包含 config.json 和 safetensors 或 torch 权重的文件夹。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Choose another text file.</source>
        <translation>请选择另一个文本文件。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Choose one of these.</source>
        <translation>请选择其中之一。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Choose one of these: {reason}.</source>
        <translation>请从这些中选择：{reason}。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Choose others.</source>
        <translation>请选择其他的秩。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Choose such a model from the list.</source>
        <translation>请从列表中选择这样的模型。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>Choose {offered}. Tiers are called {known}.</source>
        <translation>请选择{offered}。档位的名称是{known}。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Close other programs or choose a smaller model, and give the command again.</source>
        <translation>请关闭其他程序或选择更小的模型，然后重新执行命令。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Close other programs or choose a smaller model, then restart the engine. Your conversation is safe.</source>
        <translation>请关闭其他程序或选择更小的模型，然后重启引擎。您的对话是安全的。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Close other programs, or choose a smaller model or a shorter context.</source>
        <translation>请关闭其他程序，或选择更小的模型或更短的上下文。</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>Close other programs, or choose a smaller model or a smaller weight format.</source>
        <translation>请关闭其他程序，或选择更小的模型或更小的权重格式。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Close programs that use it, or restart the computer. “ember doctor” in a terminal says more.</source>
        <translation>请关闭使用显卡的程序，或重新启动电脑。在终端中运行“ember doctor”可了解更多。</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>Close programs that use the card, or stay with a smaller budget.</source>
        <translation>请关闭使用显卡的程序，或保持较小的预算。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Close the other program, for example a second Ember or a backup, and try again.</source>
        <translation>请关闭那个程序，例如另一个 Ember 或备份程序，然后重试。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Connect the drive; its models and downloads come back by themselves. If the folder is gone for good, take it out of the library’s folders.</source>
        <translation>请连接磁盘；其中的模型和下载会自动恢复。如果文件夹已永远不在，请把它从模型库的文件夹中移除。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Correct it and try again.</source>
        <translation>请改正后重试。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Correct the number and try again.</source>
        <translation>请改正数字后重试。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Correct this setting and try again.</source>
        <translation>请更正这个设置后重试。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>Coverage</source>
        <translation>覆盖</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>CuPy is installed without the compiler or the headers that Ember's kernels need{detail}.</source>
        <translation>已安装 CuPy，但缺少 Ember 内核所需的编译器或头文件{detail}。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>Dec</source>
        <translation>12 月</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>Decoding, one token at a time</source>
        <translation>解码（逐个词元）</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>Demonstration: the processor plays the card. Not a card's speed.</source>
        <translation>演示：由处理器扮演显卡。这不是显卡的速度。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Do not use this repository; a name like this can be an attempt to write outside the library.</source>
        <translation>请不要使用这个仓库；这样的名称可能是企图写到模型库之外。</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>Does not fit this computer</source>
        <translation>不适合这台电脑</translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>Downloading</source>
        <translation>正在下载</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Downloads go on by themselves then. Try anything else again when that time is over.</source>
        <translation>到时下载会自动继续。其他操作请在那之后重试。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Downloads go on by themselves. Try anything else again in a minute.</source>
        <translation>下载会自动继续。其他操作请一分钟后重试。</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>Ember can use this card.</source>
        <translation>Ember 可以使用这块显卡。</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>Ember cannot run this model</source>
        <translation>Ember 不能运行这个模型</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Ember cannot run “{path}”: {what} is {found}. Supported: {supported}.</source>
        <translation>Ember 不能运行“{path}”：{what} 是 {found}。支持：{supported}。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Ember computes on the processor. “ember doctor” in a terminal says more.</source>
        <translation>Ember 使用处理器计算。在终端中运行“ember doctor”可了解更多。</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>Ember goes on with the processor alone.</source>
        <translation>Ember 继续仅用处理器运行。</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>Ember goes on with {left} of the card.</source>
        <translation>Ember 继续使用显卡的 {left}。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Ember has closed this connection. Downloads go on trying by themselves.</source>
        <translation>Ember 已关闭这个连接。下载会自动继续尝试。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Ember has no published figures of a card called “{value}”.</source>
        <translation>Ember 没有名为“{value}”的显卡的公布数据。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Ember has not touched it. It can be kept under another name while you start with an empty file.</source>
        <translation>Ember 没有动它。可以把它改名保留，同时从空文件开始。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Ember is set to stay offline and did not connect to {host}.</source>
        <translation>Ember 设置为离线，没有连接 {host}。</translation>
    </message>
    <message>
        <location filename="../../app/settings_file.py"/>
        <source>Ember stays offline, since that may have been chosen; the settings can change it.</source>
        <translation>Ember 保持离线，因为可能曾这样选择；可以在设置中更改。</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>Ember took less of the card by itself ({reason}).</source>
        <translation>Ember 自行减少了对显卡的占用（{reason}）。</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>Ember uses the processor.</source>
        <translation>Ember 使用处理器。</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>Ember {size}</source>
        <translation>Ember {size}</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Ember's support for graphics cards (CuPy) is not installed{detail}.</source>
        <translation>没有安装 Ember 的显卡支持（CuPy）{detail}。</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <location filename="../../app/language.py"/>
        <source>English</source>
        <translation>英语</translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>Enter a token…</source>
        <translation>输入访问令牌…</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>Every neuron</source>
        <translation>全部神经元</translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>Every predictor at every threshold</source>
        <translation>每个阈值的每个预测器</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>Everything it needs is free now.</source>
        <translation>所需的资源现在都够用。</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>Everything on the card</source>
        <translation>全部在显卡上</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>Everything on the processor</source>
        <translation>全部在处理器上</translation>
    </message>
    <message>
        <location filename="../../assets/catalog.toml"/>
        <source>Experts with a ReLU gate, for machines without a card.</source>
        <translation>采用 ReLU 门控的专家，面向没有显卡的机器。</translation>
    </message>
    <message>
        <location filename="../../assets/catalog.toml"/>
        <source>Experts with a ReLU gate.</source>
        <translation>采用 ReLU 门控的专家。</translation>
    </message>
    <message>
        <location filename="../../assets/catalog.toml"/>
        <source>Experts with squared ReLU between state-space layers.</source>
        <translation>状态空间层之间采用平方 ReLU 的专家。</translation>
    </message>
    <message>
        <location filename="../../assets/catalog.toml"/>
        <source>Falcon in a GGUF file</source>
        <translation>GGUF 文件中的 Falcon</translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>Feb</source>
        <translation>2 月</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>First products</source>
        <translation>第一次乘积</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>Fits this computer</source>
        <translation>适合这台电脑</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>Fits, with a part of it on the card</source>
        <translation>适合，一部分放在显卡上</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>For {share} of the time neither side computed: launching work and carrying results across took it.</source>
        <translation>有 {share} 的时间双方都没有计算：用在启动工作和传送结果上。</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>For {share} of the time the card waited for the processor, which did {work} of the neurons' work.</source>
        <translation>有 {share} 的时间显卡在等待处理器，后者完成了神经元工作量的 {work}。</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>For {share} of the time the processor waited for the card, which did {work} of the neurons' work.</source>
        <translation>有 {share} 的时间处理器在等待显卡，后者完成了神经元工作量的 {work}。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>Found</source>
        <translation>结果</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Free at least {missing_bytes} and try again. Nothing was left half written.</source>
        <translation>请至少腾出 {missing_bytes} 后重试。没有留下写到一半的内容。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Free at least {missing_bytes} there, then continue.</source>
        <translation>请在那里至少腾出 {missing_bytes}，然后继续。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Free some space there, then continue.</source>
        <translation>请在那里腾出一些空间，然后继续。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Free some space. What is on the screen is written as soon as there is room.</source>
        <translation>请腾出一些空间。一有空间，屏幕上的内容就会写入。</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>French</source>
        <translation>法语</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>From token to token</source>
        <translation>从词元到词元</translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>From token {number} on this answer was computed exactly: the tier {tier} had drifted from what was promised for it.</source>
        <translation>从第 {number} 个词元起，这个回答改为精确计算：{tier}档偏离了它的承诺。</translation>
    </message>
    <message>
        <location filename="../../assets/catalog.toml"/>
        <source>GELU with a cut at a quantile</source>
        <translation>在分位数处截断的 GELU</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>German</source>
        <translation>德语</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Give the command again. If it happens every time, please report it together with the engine’s log.</source>
        <translation>请重新执行命令。如果每次都这样，请连同引擎日志一起报告。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Go on there, or close it and try again.</source>
        <translation>请在那里继续，或关闭它后重试。</translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>Go online</source>
        <translation>联网</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>Growth of the union</source>
        <translation>并集的增长</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <location filename="../../app/neuron_text.py"/>
        <source>Heads</source>
        <translation>注意力头</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>Hot neurons by use</source>
        <translation>按用途的热神经元</translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>Hot neurons in common (Jaccard index)</source>
        <translation>共有的热神经元（Jaccard 指数）</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>Hot neurons of a text are the fewest that carry 80 % of its activity: how often a neuron was active, times how much it then added.</source>
        <translation>一种文本的热神经元是承担其 80% 活动的最少神经元：神经元活跃的频率乘以当时的贡献。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>Hot neurons that two kinds share, of those hot for either (Jaccard index).</source>
        <translation>两类文本共有的热神经元，占任一类的热神经元的比例（Jaccard 指数）。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>Hot neurons that two uses have in common</source>
        <translation>两种用途共有的热神经元</translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>Hub and library…</source>
        <translation>Hub 与模型库…</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>If this computer has an NVIDIA card, install NVIDIA's driver and restart. Other makes of card are not used.</source>
        <translation>如果这台电脑有 NVIDIA 显卡，请安装 NVIDIA 的驱动并重新启动。不使用其他品牌的显卡。</translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>In another Ember (process {holder})</source>
        <translation>在另一个 Ember 中（进程 {holder}）</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <location filename="../../app/neuron_text.py"/>
        <source>In common</source>
        <translation>共有</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>In common, by layer</source>
        <translation>共有，按层</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>In turns with other engines</source>
        <translation>与其他引擎轮流测量</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>In use by: {users}</source>
        <translation>正在使用：{users}</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>In {count} of {layers} layers a predictor saves bytes at a recall of {recall}: together {size} a token, {share} of the first products.</source>
        <translation>召回率为 {recall} 时，{layers} 层中有 {count} 层的预测器能节省字节：合计每词元 {size}，占第一次乘积的 {share}。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Install both beside Ember: pip install 'emberchat[cuda13]', or emberchat[cuda12] with an older driver.</source>
        <translation>请把两者与 Ember 安装在一起：pip install 'emberchat[cuda13]'，驱动较旧时使用 emberchat[cuda12]。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Install it beside Ember, for example with: pip install 'emberchat[{extra}]'. The rest works without it.</source>
        <translation>请把它与 Ember 安装在一起，例如：pip install 'emberchat[{extra}]'。没有它，其余功能仍可使用。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Install one of them (on Debian and Ubuntu: apt install g++). Everything else works without it.</source>
        <translation>请安装其中之一（在 Debian 和 Ubuntu 上：apt install g++）。没有它，其余功能仍可使用。</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>It computes with {now} of {cores} cores; {best} threads read memory {times} times as fast here.</source>
        <translation>它使用 {cores} 个核心中的 {now} 个；在这里 {best} 个线程读取内存的速度是现在的 {times} 倍。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>It is so on the hub, and fetching it again changes nothing. Choose another model.</source>
        <translation>Hub 上的文件就是这样，重新下载也不会改变。请选择其他模型。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>It knows those of these cards: {reason}.</source>
        <translation>它认识这些显卡：{reason}。</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>It shows how Ember would share work with a card.</source>
        <translation>它展示 Ember 会怎样与显卡分担工作。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>It stays so until its publisher adds what is missing. Choose another model.</source>
        <translation>在发布者补上缺少的内容之前不会改变。请选择其他模型。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>It was made on this computer. Measure again, which replaces it: on the Neurons page, or in a terminal with {command}.</source>
        <translation>它是在这台电脑上生成的。请重新测量，结果会替换它：在“神经元”页上，或在终端中运行 {command}。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>It was probably cut short or altered while it was copied or downloaded. Fetch it again.</source>
        <translation>它可能在复制或下载时被截断或改动。请重新获取。</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>Its neurons can be silent; how many are is not published.</source>
        <translation>它的神经元可以静默；有多少静默并未公布。</translation>
    </message>
    <message>
        <location filename="../../assets/catalog.toml"/>
        <source>Its predictors lie in the same files, which makes the download larger than the model.</source>
        <translation>它的预测器在同样的文件中，因此下载量大于模型本身。</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>Its publisher asks everybody to accept terms first and looks at each request; that can take days.</source>
        <translation>发布者要求每个人先接受条款，并逐一审核申请；可能需要几天。</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>Its publisher asks everybody to accept terms first; access follows at once.</source>
        <translation>发布者要求每个人先接受条款；接受后立即可以访问。</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>Its weights are in a form whose contents can only be read once they are here. The sizes are right.</source>
        <translation>它的权重格式只有下载后才能读出内容。大小是准确的。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>Jan</source>
        <translation>1 月</translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>Jul</source>
        <translation>7 月</translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>Jun</source>
        <translation>6 月</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>KL against {what} kept</source>
        <translation>KL 与保留的{what}</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>KL, nats</source>
        <translation>KL，奈特</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <location filename="../../app/engine_phrases.py"/>
        <location filename="../../app/error_text.py"/>
        <source>KV cache</source>
        <translation>KV 缓存</translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>Layers</source>
        <translation>各层</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <location filename="../../app/neuron_tables.py"/>
        <source>Layers of {tier}</source>
        <translation>{tier}档的各层</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Load a model first.</source>
        <translation>请先加载模型。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Load the model again. If it still takes no part, “ember doctor” in a terminal says more.</source>
        <translation>请重新加载模型。如果它仍不参与，在终端中运行“ember doctor”可了解更多。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Load the model again. If the card still takes no part, “ember doctor” in a terminal says more.</source>
        <translation>请重新加载模型。如果显卡仍不参与，在终端中运行“ember doctor”可了解更多。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Look at the list: it may have been restored or deleted.</source>
        <translation>请查看列表：它可能已恢复或删除。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Look at the list: it may have ended, or been given up.</source>
        <translation>请查看列表：它可能已结束或被放弃。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>MB a token</source>
        <translation>MB/词元</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <location filename="../../app/neuron_tables.py"/>
        <source>MB/token</source>
        <translation>MB/词元</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>Machine</source>
        <translation>机器</translation>
    </message>
    <message>
        <location filename="../../app/window/device/machine_card.py"/>
        <source>Main memory by threads</source>
        <translation>按线程数的内存速度</translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>Mar</source>
        <translation>3 月</translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>May</source>
        <translation>5 月</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>Mean KL in nats, and the limit that the tier promises to keep.</source>
        <translation>平均 KL（奈特），以及这个档位承诺遵守的上限。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>Mean of the layers at each threshold. Further left is better: fewer neurons to look at.</source>
        <translation>各阈值下各层的平均。越靠左越好：要查看的神经元更少。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Measure one on this computer: ember profile MODEL.</source>
        <translation>请在这台电脑上测量一个：ember profile MODEL。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Measure one: ember profile MODEL.</source>
        <translation>请先测量：ember profile MODEL。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>Measure what this model can leave out, and offer it: ember calibrate {model}. Where that was done, ember neurons {model} tiers says why a tier is not offered.</source>
        <translation>测量这个模型可以略去什么并提供它：ember calibrate {model}。如果已经做过，ember neurons {model} tiers 会说明为什么不提供某个档位。</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <location filename="../../app/neuron_text.py"/>
        <source>Measured</source>
        <translation>测量</translation>
    </message>
    <message>
        <location filename="../../app/window/device/machine_card.py"/>
        <source>Measured %1, in %2 s.</source>
        <translation>测量于 %1，用时 %2 秒。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>Median of rounds in turns.</source>
        <translation>轮流测量各轮的中位数。</translation>
    </message>
    <message>
        <location filename="../../assets/catalog.toml"/>
        <source>Mistral's shape with dReLU, tuned to people's preferences.</source>
        <translation>采用 dReLU 的 Mistral 结构，按人的偏好调优。</translation>
    </message>
    <message>
        <location filename="../../assets/catalog.toml"/>
        <source>Mistral's shape with dReLU.</source>
        <translation>采用 dReLU 的 Mistral 结构。</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <location filename="../../app/neuron_text.py"/>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>More of the card's memory is not to be had.</source>
        <translation>没有更多显存可用。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Move it elsewhere, or choose another folder. Ember leaves the file as it is.</source>
        <translation>请把它移到别处，或选择其他文件夹。Ember 不会改动这个文件。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Move or rename it, and try again.</source>
        <translation>请移动或重命名它，然后重试。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>Named at {recall} recall</source>
        <translation>召回率 {recall} 时指出的神经元</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <location filename="../../app/neuron_tables.py"/>
        <location filename="../../app/neuron_text.py"/>
        <source>Neurons</source>
        <translation>神经元</translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>Neurons by use</source>
        <translation>按用途的神经元</translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>Neurons kept</source>
        <translation>保留的神经元</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>Neurons of this model ({kind}) are never silent: none can be skipped.</source>
        <translation>这个模型的神经元（{kind}）从不静默：没有可以跳过的。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>Neurons that suffice: {found}.</source>
        <translation>足够的神经元：{found}。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>Never, always</source>
        <translation>从不，始终</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>Next token</source>
        <translation>下一个词元</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>No NVIDIA driver was found{detail}.</source>
        <translation>没有找到 NVIDIA 驱动{detail}。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>No card of this computer that can be used is meant by “{value}”, or more than one is.</source>
        <translation>“{value}”没有指向这台电脑上可用的显卡，或者指向了不止一块。</translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>No connection; trying again in {time}</source>
        <translation>没有连接；{time}后重试</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>No graphics card is used: that is what is set.</source>
        <translation>没有使用显卡：设置就是如此。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>No model is loaded.</source>
        <translation>没有加载模型。</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>No neuron of this model can be silent: all are read for every token.</source>
        <translation>这个模型的神经元都不会静默：每个词元都要读取全部神经元。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>No neuron of {model} is ever exactly silent ({kind}), so there is nothing to leave out.</source>
        <translation>{model} 的神经元从不精确静默（{kind}），因此没有可以略去的。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>No neuron of {model} is ever exactly silent ({kind}), so there is nothing to predict.</source>
        <translation>{model} 的神经元从不精确静默（{kind}），因此没有可以预测的。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>No neuron of {model} is ever exactly silent ({kind}), so this study has no subject.</source>
        <translation>{model} 的神经元从不精确静默（{kind}），因此这项研究没有对象。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>No predictor saves bytes in any of the {layers} layers at a recall of {recall}.</source>
        <translation>召回率为 {recall} 时，{layers} 层中没有一层的预测器能节省字节。</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>No program is known to use it.</source>
        <translation>没有发现使用它的程序。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>No share of the neurons tried suffices.</source>
        <translation>试过的神经元比例都不够。</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>No speed can be predicted yet: measure this computer on the Device page.</source>
        <translation>还不能预测速度：请先在“设备”页测量这台电脑。</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>No speed is predicted for a model that is read from the drive.</source>
        <translation>对从磁盘读取的模型不预测速度。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>No tier is offered: answers are exact.</source>
        <translation>没有提供档位：回答是精确的。</translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>No token is kept. Most models need none.</source>
        <translation>没有保存访问令牌。大多数模型不需要。</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>Nobody waited for long: card and processor worked at the same time for {share} of the time.</source>
        <translation>双方都没有等很久：显卡和处理器有 {share} 的时间同时工作。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Not enough memory for {what}: {needed_bytes} needed, {available_bytes} free.</source>
        <translation>内存不足以用于{what}：需要 {needed_bytes}，空闲 {available_bytes}。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Not enough memory on the card for {what}: {needed_bytes} needed, {available_bytes} free.</source>
        <translation>显存不足以用于{what}：需要 {needed_bytes}，可用 {available_bytes}。</translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>Nothing arrives; trying again</source>
        <translation>没有数据到达；正在重试</translation>
    </message>
    <message>
        <location filename="../../app/window/device/machine_card.py"/>
        <source>Nothing has been measured yet. It takes at most half a minute.</source>
        <translation>还没有测量。最多需要半分钟。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>Nothing is ever exactly zero in this model. A neuron is called active where it is among the largest products of its token that together carry 95 % of their squares.</source>
        <translation>这个模型中没有精确为零的值。一个词元的乘积中，最大的、合起来承担其平方和 95% 的那些神经元称为活跃。</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>Nothing is known of this model's neurons yet; this reckons as if every one fired for every token.</source>
        <translation>对这个模型的神经元还一无所知；这里按每个神经元对每个词元都激活来计算。</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>Nothing is on the card: for this model, nothing that fits in {budget} would be faster there.</source>
        <translation>显卡上没有内容：对这个模型，{budget} 放得下的内容都不会更快。</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>Nothing is on the card: for this model, nothing there would be faster.</source>
        <translation>显卡上没有内容：对这个模型，放上去也不会更快。</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>Nothing is on the card: the budget is 0.</source>
        <translation>显卡上没有内容：预算为 0。</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>Nothing is on the card: there was no room for anything.</source>
        <translation>显卡上没有内容：没有空间。</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>Nothing of the answer is lost. Restart the engine once the card is back.</source>
        <translation>回答没有丢失任何内容。显卡恢复后请重启引擎。</translation>
    </message>
    <message>
        <location filename="../../app/chat/exchange_words.py"/>
        <source>Nothing was imported. Export it again, or choose an export of Ember, ChatGPT, Open WebUI or Jan.</source>
        <translation>没有导入任何内容。请重新导出，或选择 Ember、ChatGPT、Open WebUI 或 Jan 的导出文件。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>Nov</source>
        <translation>11 月</translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>Oct</source>
        <translation>10 月</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>Of all neurons, those active and those looked at; of the active ones, those found (recall).</source>
        <translation>在全部神经元中，活跃的和查看的；在活跃的当中，找到的（召回率）。</translation>
    </message>
    <message>
        <location filename="../../assets/catalog.toml"/>
        <source>Of the ReLU² Wins study, after 95 billion tokens; there are others from 5B to 100B.</source>
        <translation>来自 ReLU² Wins 研究，训练到 950 亿词元；另有 5B 到 100B 的其他版本。</translation>
    </message>
    <message>
        <location filename="../../assets/catalog.toml"/>
        <source>Of the ReLU² Wins study; no gate, although its configuration looks like LLaMA's.</source>
        <translation>来自 ReLU² Wins 研究；没有门控，虽然配置看起来像 LLaMA。</translation>
    </message>
    <message>
        <location filename="../../assets/catalog.toml"/>
        <source>Of the ReLU² Wins study; squared ReLU without a gate.</source>
        <translation>来自 ReLU² Wins 研究；不带门控的平方 ReLU。</translation>
    </message>
    <message>
        <location filename="../../assets/catalog.toml"/>
        <source>Of the Sparsing Law study, before its learning rate fell.</source>
        <translation>来自 Sparsing Law 研究，学习率下降之前。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>Offered</source>
        <translation>提供</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>Offered: {tiers}</source>
        <translation>提供：{tiers}</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>Once it has ended, apply your budget again.</source>
        <translation>它结束后，请重新应用您的预算。</translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>Open the page with the terms…</source>
        <translation>打开条款页面…</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>Open the page, sign in to the hub, and accept the terms there. Then enter an access token of that account: the hub's settings make one; reading is all it has to be allowed.</source>
        <translation>请打开页面，登录 Hub，在那里接受条款。然后输入该账号的访问令牌：可以在 Hub 的设置中创建；只需要读取权限。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Open {link}, sign in, accept the terms, and enter a token of that account (in a terminal: ember token). Then continue the download.</source>
        <translation>请打开 {link}，登录并接受条款，然后输入该账号的访问令牌（在终端中：ember token）。之后继续下载。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>Packing</source>
        <translation>打包</translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>Paused by Ember</source>
        <translation>已被 Ember 暂停</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>Please report it with the name of the card and the version of its driver.</source>
        <translation>请报告此问题，并附上显卡名称和驱动版本。</translation>
    </message>
    <message>
        <location filename="../../assets/catalog.toml"/>
        <source>PowerInfer's first subject. Stored in float32; the hub has the same weights for torch as well.</source>
        <translation>PowerInfer 的第一个研究对象。以 float32 存储；Hub 上同样的权重还有 torch 版本。</translation>
    </message>
    <message>
        <location filename="../../assets/catalog.toml"/>
        <source>PowerInfer's second subject.</source>
        <translation>PowerInfer 的第二个研究对象。</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>Predicted for exact answers from this model's activation profile and {speeds}.</source>
        <translation>根据这个模型的激活画像和{speeds}，为精确回答预测。</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>Predicted for exact answers from this model's census and {speeds}. An activation profile (Neurons page) makes it sharper.</source>
        <translation>根据这个模型的普查和{speeds}，为精确回答预测。做一次激活画像（“神经元”页）会更准。</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>Predicted for exact answers from {speeds}, as if every neuron fired for every token: nothing is known of this model yet. An activation profile (Neurons page) makes it sharper.</source>
        <translation>根据{speeds}，为精确回答预测，假设每个神经元对每个词元都激活：对这个模型还一无所知。做一次激活画像（“神经元”页）会更准。</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>Predicted from the speeds measured on this computer and the published share of silent neurons.</source>
        <translation>根据这台电脑测得的速度和已公布的静默神经元比例预测。</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>Predicted from the speeds measured on this computer. How many neurons stay silent is not published: the slow end is none of them, the fast end all.</source>
        <translation>根据这台电脑测得的速度预测。有多少神经元静默并未公布：慢的一端按没有静默计算，快的一端按全部静默计算。</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>Predicted from the speeds measured on this computer. No neuron of this model can be skipped.</source>
        <translation>根据这台电脑测得的速度预测。这个模型没有可以跳过的神经元。</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>Predicted from {speeds}. No neuron of this model can be silent: all are read for every token.</source>
        <translation>根据{speeds}预测。这个模型的神经元都不会静默：每个词元都要读取全部神经元。</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>Predicted with {budget} of it: {then} and {share} of the neurons' work on the card; with the processor alone: {now}.</source>
        <translation>预测使用其中 {budget} 时：{then}，神经元工作量的 {share} 在显卡上；仅用处理器：{now}。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>Predictors</source>
        <translation>预测器</translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>Predictors at a weighted recall of {recall}</source>
        <translation>加权召回率 {recall} 时的预测器</translation>
    </message>
    <message>
        <location filename="../../assets/catalog.toml"/>
        <source>Predictors for each expert lie in the same files.</source>
        <translation>每个专家的预测器在同样的文件中。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Predictors of the ranks {value} cannot be trained: {reason} is possible.</source>
        <translation>无法训练秩为 {value} 的预测器：可用范围是 {reason}。</translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>Preparing for use (once)</source>
        <translation>正在准备（仅一次）</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>Published counts were read as the importance of neurons. They order neurons, and say nothing of how often one is active; no figure above is made from them.</source>
        <translation>公布的计数被读作神经元的重要性。它们给神经元排序，并不说明神经元活跃的频率；上面的数字都不是由它们得出的。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>Quantiles of |activation|; those that are zero are not drawn.</source>
        <translation>|激活| 的分位数；为零的不画。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>Read for a token, as counted while text was decoded.</source>
        <translation>解码文本时统计的每词元读取量。</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>Reading a prompt</source>
        <translation>读取提示词</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>Reading memory</source>
        <translation>读取内存</translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>Ready</source>
        <translation>就绪</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>Recall</source>
        <translation>召回率</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>Recall is weighted by what an active neuron contributes; a predictor is judged at the threshold where it finds {share} of it, on text it was not made from.</source>
        <translation>召回率按活跃神经元的贡献加权；预测器按找到 {share} 时的阈值评判，使用的文本不是制作它的文本。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Remove the model from the library and import it again.</source>
        <translation>请从模型库中移除这个模型，然后重新导入。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Restart it. Your conversation is safe. If it happens again, please report it together with the details below.</source>
        <translation>请重启它。您的对话是安全的。如果再次发生，请连同下面的详情一起报告。</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>Runs from disk, slowly</source>
        <translation>从磁盘运行，较慢</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Save it again with the version used here.</source>
        <translation>请用这里的版本重新保存它。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>Sep</source>
        <translation>9 月</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <location filename="../../app/neuron_text.py"/>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>Share of the neurons that are active for a token, by kind of text.</source>
        <translation>按文本种类，对一个词元活跃的神经元比例。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>Share of the neurons that carry 80 % of the activity.</source>
        <translation>承担 80% 活动的神经元比例。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>Share of the tokens whose likeliest next token is another than in the dense run.</source>
        <translation>最可能的下一个词元与稠密运行不同的词元比例。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Shorten it, or send it in parts.</source>
        <translation>请缩短它，或分几次发送。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>Silence</source>
        <translation>静默</translation>
    </message>
    <message>
        <location filename="../../assets/catalog.toml"/>
        <source>Silences 95 % of the neurons in ten of its layers.</source>
        <translation>在其中十层里让 95% 的神经元静默。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>Silencing small activations</source>
        <translation>让微小激活静默</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>Size of activations</source>
        <translation>激活的大小</translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>Size of activations, by quantile</source>
        <translation>激活的大小（按分位数）</translation>
    </message>
    <message>
        <location filename="../../app/settings_file.py"/>
        <source>Some settings could not be read: {reason}</source>
        <translation>有些设置无法读取：{reason}</translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>Something other than a hub may answer, such as a page that asks to sign in to the network: open a browser to see. If a mirror is set, it may be none.</source>
        <translation>响应的可能不是 Hub，例如要求登录网络的页面：请打开浏览器查看。如果设置了镜像，它可能不是镜像。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Something went wrong inside Ember ({kind}: {detail}).</source>
        <translation>Ember 内部出错（{kind}：{detail}）。</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>Spanish</source>
        <translation>西班牙语</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <location filename="../../assets/catalog.toml"/>
        <source>Squared ReLU between state-space layers.</source>
        <translation>状态空间层之间采用平方 ReLU。</translation>
    </message>
    <message>
        <location filename="../../assets/catalog.toml"/>
        <source>Squared ReLU without a gate; how many of its neurons are silent is not published.</source>
        <translation>不带门控的平方 ReLU；有多少神经元静默并未公布。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Start a new chat, or shorten the system prompt or the last message.</source>
        <translation>请开始新对话，或缩短系统提示词或最后一条消息。</translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <location filename="../../assets/catalog.toml"/>
        <source>Stored in float32 for torch only; its configuration does not name the ReLU.</source>
        <translation>仅以 torch 的 float32 存储；它的配置没有写明 ReLU。</translation>
    </message>
    <message>
        <location filename="../../assets/catalog.toml"/>
        <source>Stored in float32, whatever its configuration says. Its answers are known to be poor.</source>
        <translation>以 float32 存储，不管配置怎么写。已知它的回答质量较差。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Switch the network on in the settings; downloads that wait for it go on then.</source>
        <translation>请在设置中允许联网；等待联网的下载随后会继续。</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>System</source>
        <translation>系统</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Take a census instead: it shows what silencing small activations would save and cost.</source>
        <translation>请改做普查：它会显示让微小激活静默能节省什么、代价是什么。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Text of the kinds {value} is not bundled: {reason}.</source>
        <translation>没有附带 {value} 类文本：{reason}。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>The KL divergence (in nats) says how far the probabilities of the next word move. At a mean of 0.01 the words the exact model would write become, on the average, 1 % less likely; at 0.03, 3 %.</source>
        <translation>KL 散度（奈特）说明下一个词的概率变化了多少。平均为 0.01 时，精确模型会写的词的可能性平均降低 1%；为 0.03 时降低 3%。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The NVIDIA driver does not answer{detail}.</source>
        <translation>NVIDIA 驱动没有响应{detail}。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The NVIDIA driver is too old for the CuPy that is installed{detail}.</source>
        <translation>NVIDIA 驱动对已安装的 CuPy 来说太旧{detail}。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The answer of {host} makes no sense: {what} is “{found}”.</source>
        <translation>{host} 的响应没有意义：{what} 是“{found}”。</translation>
    </message>
    <message>
        <location filename="../../assets/catalog.toml"/>
        <source>The best small sparse chat model; English and Chinese.</source>
        <translation>最好的小型稀疏对话模型；英语和中文。</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>The card computed something else than the processor, so it is not used.</source>
        <translation>显卡算出的结果与处理器不同，因此不使用它。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The card could not be opened{detail}.</source>
        <translation>无法打开显卡{detail}。</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>The card had no room for this budget.</source>
        <translation>显卡放不下这个预算。</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>The card had no room for {wanted} more.</source>
        <translation>显卡放不下再多的 {wanted}。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The card has no room for this budget: {needed_bytes} needed, {available_bytes} free for Ember.</source>
        <translation>显卡放不下这个预算：需要 {needed_bytes}，Ember 可用 {available_bytes}。</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>The card is in a state this version has no words for: {state}.</source>
        <translation>显卡处于这个版本无法描述的状态：{state}。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The card is too old: the CUDA that is installed no longer serves its generation{detail}.</source>
        <translation>显卡太旧：已安装的 CUDA 不再支持这一代{detail}。</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>The card no longer answers.</source>
        <translation>显卡不再响应。</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>The card read at most {rate}; alone it reads {own} here. Another program keeps it busy{who}.</source>
        <translation>显卡的读取速度最多为 {rate}；单独使用时为 {own}。有其他程序在占用它{who}。</translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>The certificate may be of someone else. In a company's network, set the file with the company's own certificates. A wrong date or time on this computer does the same: check its clock.</source>
        <translation>证书可能属于别人。在公司网络中，请设置包含公司证书的文件。电脑日期或时间不对也会造成同样的问题：请检查时钟。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The chat template of this model cannot be used: line {line}, {reason}.</source>
        <translation>无法使用这个模型的对话模板：第 {line} 行，{reason}。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The chat template of this model cannot be used: {reason}.</source>
        <translation>无法使用这个模型的对话模板：{reason}。</translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>The connection is encrypted</source>
        <translation>加密连接</translation>
    </message>
    <message>
        <location filename="../../app/chat/exchange_words.py"/>
        <source>The damaged file is kept as it was: {damaged_path}. Copies that were made before updates lie beside it.</source>
        <translation>损坏的文件按原样保留：{damaged_path}。更新前做的副本在它旁边。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The demonstration of a card takes no part in the loaded model{detail}.</source>
        <translation>演示显卡没有参与已加载的模型{detail}。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The drive of “{path}” has too little room: {needed_bytes} needed, {packing_bytes} of that for preparing the model, {available_bytes} free.</source>
        <translation>“{path}”所在的磁盘空间不足：需要 {needed_bytes}（其中准备模型需要 {packing_bytes}），空闲 {available_bytes}。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The drive of “{path}” is full: {available_bytes} free.</source>
        <translation>“{path}”所在的磁盘已满：空闲 {available_bytes}。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The drive of “{path}” is full: {needed_bytes} needed, {available_bytes} free.</source>
        <translation>“{path}”所在的磁盘已满：需要 {needed_bytes}，空闲 {available_bytes}。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The drive with your conversations is full: {path} ({reason}).</source>
        <translation>保存对话的磁盘已满：{path}（{reason}）。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The emulated card needs a {language} compiler, and none of these was found: {looked_for}.</source>
        <translation>模拟显卡需要 {language} 编译器，这些都没有找到：{looked_for}。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The engine crashed ({how}).</source>
        <translation>引擎崩溃（{how}）。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The engine ended unexpectedly ({how}).</source>
        <translation>引擎意外结束（{how}）。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The engine ran out of memory and ended.</source>
        <translation>引擎因内存不足而结束。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The engine reported an error this version has no words for: {code} ({fields}).</source>
        <translation>引擎报告了这个版本无法描述的错误：{code}（{fields}）。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The engine was ended from outside ({how}). Most often the system does this when memory runs out.</source>
        <translation>引擎被外部结束（{how}）。最常见的原因是系统内存不足。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>The error of the output is its squared change, relative to its square, in the layer alone.</source>
        <translation>输出误差是仅在该层内、输出的平方变化与其平方之比。</translation>
    </message>
    <message>
        <location filename="../../app/settings_file.py"/>
        <source>The file was kept as {name}.</source>
        <translation>文件已保留为 {name}。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The file with your conversations cannot be used: {path} ({reason}).</source>
        <translation>无法使用保存对话的文件：{path}（{reason}）。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The file with your conversations is damaged: {path} ({reason}).</source>
        <translation>保存对话的文件已损坏：{path}（{reason}）。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The file with your conversations is in use by another program: {path} ({reason}).</source>
        <translation>保存对话的文件正被其他程序使用：{path}（{reason}）。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The file with your conversations is write-protected: {path} ({reason}).</source>
        <translation>保存对话的文件被写保护：{path}（{reason}）。</translation>
    </message>
    <message>
        <location filename="../../app/chat/exchange_words.py"/>
        <source>The file with your conversations was damaged ({reason}), and nothing in it could be read.</source>
        <translation>保存对话的文件已损坏（{reason}），其中没有内容可以读出。</translation>
    </message>
    <message>
        <location filename="../../app/chat/exchange_words.py"/>
        <source>The file with your conversations was damaged ({reason}). {n_messages} messages in {n_conversations} conversations could be read and are here.</source>
        <translation>保存对话的文件已损坏（{reason}）。读出了 {n_conversations} 个对话中的 {n_messages} 条消息，都在这里。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The file with your conversations was written by a later Ember: {path} ({reason}).</source>
        <translation>保存对话的文件由更新版本的 Ember 写入：{path}（{reason}）。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The graphics card is in a state this version has no words for: {state}{detail}.</source>
        <translation>显卡处于这个版本无法描述的状态：{state}{detail}。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The graphics card{name} no longer answers{reason}.</source>
        <translation>显卡{name}不再响应{reason}。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The graphics card{name} takes no part any more: Ember gave it up while this model was loaded.</source>
        <translation>显卡{name}不再参与：Ember 在这个模型加载期间放弃了它。</translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>The hub answers</source>
        <translation>Hub 作出响应</translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>The hub answers, but the server of its files does not. It may be blocked separately: ask for it to be allowed, or set a mirror that serves both.</source>
        <translation>Hub 有响应，但它的文件服务器没有。文件服务器可能被单独屏蔽：请要求放行，或设置同时提供两者的镜像。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The hub has no {repo} (revision {revision}), or it is private.</source>
        <translation>Hub 上没有 {repo}（修订版 {revision}），或者它是私有的。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The hub has no “{path}” in {repo} (revision {revision}), or it is private.</source>
        <translation>Hub 在 {repo} 中没有“{path}”（修订版 {revision}），或者它是私有的。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The hub refused access to {repo} (status {status}): {reason}.</source>
        <translation>Hub 拒绝访问 {repo}（状态 {status}）：{reason}。</translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>The hub's name is looked up</source>
        <translation>查找 Hub 的名称</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The library has no model called “{model_id}”.</source>
        <translation>模型库中没有名为“{model_id}”的模型。</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>The library's drive has {available} free; the download and the prepared model take {needed}. Free {missing} there, or have a folder of models on another drive.</source>
        <translation>模型库所在磁盘剩余 {available}；下载和准备好的模型共需 {needed}。请在那里腾出 {missing}，或把模型文件夹放到其他磁盘。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The library’s folder “{path}” is not there: its drive is not connected. Nothing was written in its place.</source>
        <translation>模型库的文件夹“{path}”不在：它的磁盘没有连接。没有在原处写入任何内容。</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>The machine was busy: other programs took {before} % before and {during} % during it. The figures may be too low; try again.</source>
        <translation>机器当时很忙：其他程序在测量前占用 {before}%，测量中占用 {during}%。数字可能偏低，请再试一次。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The model has no token {value}: a bias (logit_bias) is for {reason}.</source>
        <translation>模型没有词元 {value}：偏置（logit_bias）只能用于{reason}。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The model library “{path}” cannot be written to: {reason}.</source>
        <translation>无法写入模型库“{path}”：{reason}。</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>The model needs {needed} of main memory and there are {memory}: neurons are read from the disk, at {rate} instead of {own}.</source>
        <translation>这个模型需要 {needed} 内存，而这里有 {memory}：神经元以 {rate} 的速度从磁盘读取，而不是 {own}。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>The model ran twice on the same text: densely, noting what mattered for each token, and again with only that. A predictor has to guess what this run knew: it will hardly keep fewer at the same loss.</source>
        <translation>模型在同一文本上运行两次：先稠密运行，记下对每个词元重要的部分，再只用这些运行。预测器必须猜出这次运行已知的内容：在同样损失下它很难保留得更少。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>The nearer to what is really active, the better. No dot: the predictor does not reach that recall there.</source>
        <translation>越接近实际活跃越好。没有点：预测器在该处达不到这个召回率。</translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>The network may be down, or its name server may not know the hub. Check the network and the hub's address; where the hub is blocked, set a proxy or a mirror.</source>
        <translation>网络可能已断开，或者名称服务器不认识这个 Hub。请检查网络和 Hub 的地址；如果 Hub 被屏蔽，请设置代理或镜像。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The package “{package}”, which this needs, is not installed or does not load ({reason}).</source>
        <translation>需要的软件包“{package}”没有安装或无法加载（{reason}）。</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>The processor computed everything.</source>
        <translation>全部由处理器计算。</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>The processor computes alone.</source>
        <translation>由处理器单独计算。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The processor computes everything. A card of the Turing generation (2018) or later can be used.</source>
        <translation>全部由处理器计算。可以使用 Turing 一代（2018 年）或更新的显卡。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The processor computes everything. Restart the computer; if that does not help, install the driver again.</source>
        <translation>全部由处理器计算。请重新启动电脑；如果仍无效，请重新安装驱动。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The processor goes on without it. Load the model again once the card is back.</source>
        <translation>处理器继续运行。显卡恢复后请重新加载模型。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The processor goes on without it. Load the model again to use the card again.</source>
        <translation>处理器继续运行。要再次使用显卡，请重新加载模型。</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>The processor read its neurons at {rate}; alone it reads {own} here. Other programs seem to use it or its memory.</source>
        <translation>处理器以 {rate} 的速度读取神经元；单独使用时为 {own}。似乎有其他程序在使用处理器或内存。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The profile “{path}” cannot be used: {reason}.</source>
        <translation>无法使用画像“{path}”：{reason}。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The profile “{path}” is counted already; nothing was changed.</source>
        <translation>画像“{path}”已经计入；没有任何改动。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The profile “{path}” is of other weights, and says nothing of these neurons.</source>
        <translation>画像“{path}”属于其他权重，与这些神经元无关。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The profile “{path}” was written by another version of Ember.</source>
        <translation>画像“{path}”由其他版本的 Ember 写入。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The repository names a file “{name}”, which Ember does not store: {reason}.</source>
        <translation>仓库中有一个名为“{name}”的文件，Ember 不予保存：{reason}。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>The same for each layer.</source>
        <translation>各层的同样数据。</translation>
    </message>
    <message>
        <location filename="../../assets/catalog.toml"/>
        <source>The same weights; its configuration lost the threshold, which Ember puts back. Prefer the original.</source>
        <translation>同样的权重；它的配置缺少阈值，Ember 会补上。请优先选原版。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The setting “{field}” has the value {value}, which is outside its range ({reason}).</source>
        <translation>设置“{field}”的值为 {value}，超出范围（{reason}）。</translation>
    </message>
    <message>
        <location filename="../../assets/catalog.toml"/>
        <source>The strongest sparse chat model of its size; its configuration calls dReLU relu.</source>
        <translation>同等大小中最强的稀疏对话模型；它的配置把 dReLU 称为 relu。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The system stores no more in “{path}”: {needed_bytes} needed, and the drive itself has {available_bytes} free.</source>
        <translation>系统不再允许写入“{path}”：需要 {needed_bytes}，而磁盘本身空闲 {available_bytes}。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The text is too short for this study, which needs {needed_tokens} tokens of it or more.</source>
        <translation>文本太短：这项研究至少需要 {needed_tokens} 个词元。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The text “{path}” cannot be used: {reason} ({needed_tokens} tokens needed).</source>
        <translation>文本“{path}”无法使用：{reason}（需要 {needed_tokens} 个词元）。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>The tier {tier} is not offered ({reason}).</source>
        <translation>不提供{tier}档（{reason}）。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>The tier {tier} is not offered: its mean KL may be as high as {kl}, and {limit} is its limit.</source>
        <translation>不提供{tier}档：它的平均 KL 可能高达 {kl}，而上限是 {limit}。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>The tier {tier} is not offered: nothing worth leaving out was found within its limit.</source>
        <translation>不提供{tier}档：在上限之内没有找到值得略去的内容。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The token could not be kept: the keyring of this system does not answer, and “{path}” cannot be written ({reason}).</source>
        <translation>无法保存访问令牌：系统的密钥环没有响应，也无法写入“{path}”（{reason}）。</translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>The token is accepted</source>
        <translation>访问令牌被接受</translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>The token may have expired or been revoked. Enter a new one.</source>
        <translation>访问令牌可能已过期或被撤销。请输入新的令牌。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The trash holds nothing called “{trash_id}”.</source>
        <translation>回收站中没有“{trash_id}”。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>There is a card that Ember can use, but it takes no part in the loaded model{detail}.</source>
        <translation>有一块 Ember 可以使用的显卡，但它没有参与已加载的模型{detail}。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>There is an NVIDIA driver, but it shows no card{detail}.</source>
        <translation>有 NVIDIA 驱动，但它没有报告显卡{detail}。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>There is no download “{download_id}”.</source>
        <translation>没有下载“{download_id}”。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>There is no profile to save as “{path}”: none was measured of this model.</source>
        <translation>没有可以保存为“{path}”的画像：还没有为这个模型测量过。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>There is no study called “{value}”: {reason}.</source>
        <translation>没有叫“{value}”的研究：{reason}。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>There is no text in “{path}”.</source>
        <translation>“{path}”中没有文本。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>There is something at “{path}” already, and it was left alone.</source>
        <translation>“{path}”处已有内容，没有动它。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>This Python's SQLite has no full-text index, which conversations need: {path} ({reason}).</source>
        <translation>这个 Python 的 SQLite 没有对话所需的全文索引：{path}（{reason}）。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>This conversation has {prompt_tokens} tokens, more than the {context_tokens} the model can read.</source>
        <translation>这个对话有 {prompt_tokens} 个词元，超过模型可以读取的 {context_tokens} 个。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>This is no file with conversations of Ember: {path} ({reason}).</source>
        <translation>这不是 Ember 的对话文件：{path}（{reason}）。</translation>
    </message>
    <message>
        <location filename="../../app/settings_file.py"/>
        <source>This is not a file</source>
        <translation>这不是文件</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>This model needs {needed} of main memory, and {free} is free: what does not fit is read from the disk as it is needed, which is much slower.</source>
        <translation>这个模型需要 {needed} 内存，空闲 {free}：放不下的部分会在需要时从磁盘读取，速度慢得多。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>This model’s neurons ({feed_forward}) are never exactly silent, so there is nothing to skip.</source>
        <translation>这个模型的神经元（{feed_forward}）从不完全静默，因此没有可以跳过的。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>This study of {model} ({study}) is already running, perhaps in another Ember.</source>
        <translation>{model} 的这项研究（{study}）已在运行，也许是另一个 Ember。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>Thresholding</source>
        <translation>阈值</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>Thresholds with an error of at most {error} of the output's square in each layer would silence {share} of the neurons. Ember does not do this yet.</source>
        <translation>如果每层输出的平方误差至多为 {error}，阈值会让 {share} 的神经元静默。Ember 目前还不这样做。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>Tiers</source>
        <translation>档位</translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>Tiers on text they were not chosen on</source>
        <translation>各档位在未用于选择的文本上</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>Time of a token</source>
        <translation>一个词元的时间</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>Together</source>
        <translation>合起来</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>Tokens against the reference</source>
        <translation>词元与参考对照</translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>Tokens per second by budget</source>
        <translation>各预算的词元/秒</translation>
    </message>
    <message>
        <location filename="../../assets/catalog.toml"/>
        <source>Trained on text and instructions, without a chat format of its own. Stored in float32.</source>
        <translation>用文本和指令训练，没有自己的对话格式。以 float32 存储。</translation>
    </message>
    <message>
        <location filename="../../assets/catalog.toml"/>
        <source>Trained to be silent; its configuration says silu, its gate is a ReLU.</source>
        <translation>训练成静默的；它的配置写的是 silu，门控其实是 ReLU。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>Tried</source>
        <translation>试过</translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Try again later. If it happens every time, the file on the hub or the mirror is damaged; use another source.</source>
        <translation>请稍后重试。如果每次都这样，说明 Hub 或镜像上的文件已损坏；请使用其他来源。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Try again. If it happens every time, please report it together with the engine's log.</source>
        <translation>请重试。如果每次都这样，请连同引擎日志一起报告。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Try another file of this model; its publisher may have corrected the template.</source>
        <translation>请尝试这个模型的其他文件；发布者可能已更正模板。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>Two-pass ceiling</source>
        <translation>双遍上限</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Unlock the keyring or check the permissions of this folder, and enter the token again.</source>
        <translation>请解锁密钥环或检查这个文件夹的权限，然后重新输入访问令牌。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Update the driver, or install the support for older ones: pip install 'emberchat[cuda12]'.</source>
        <translation>请更新驱动，或安装较旧驱动的支持：pip install 'emberchat[cuda12]'。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Use a Python whose SQLite has FTS5 and its trigram tokenizer (3.34 or later).</source>
        <translation>请使用 SQLite 带有 FTS5 及其 trigram 分词器（3.34 或更新）的 Python。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Use the later version. This one leaves the file as it is.</source>
        <translation>请使用更新的版本。这个版本不会改动文件。</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>WRONG</source>
        <translation>错误</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>WRONG: the logits are {deviation} % off, {tolerance} % allowed: {what}. Do not trust answers of this build; please report it.</source>
        <translation>错误：logits 相差 {deviation}%，允许 {tolerance}%：{what}。请不要相信这个版本的回答，并报告此问题。</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>WRONG: {differing} of {count} tokens differ, the first at position {first}: {what}. Do not trust answers of this build; please report it.</source>
        <translation>错误：{count} 个词元中有 {differing} 个不同，第一个在位置 {first}：{what}。请不要相信这个版本的回答，并报告此问题。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Wait until it has ended, or close the other program.</source>
        <translation>请等它结束，或关闭那个程序。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Wait until it has ended, or pause it there or close that program and ask again: nothing that arrived is lost.</source>
        <translation>请等待它结束，或在那里暂停，或关闭那个程序后重试：已到达的内容不会丢失。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Wait until that download has ended, or close the other program.</source>
        <translation>请等待那个下载结束，或关闭那个程序。</translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>Waiting for its turn</source>
        <translation>排队等待</translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>Waiting to be prepared for use (once)</source>
        <translation>等待准备（仅一次）</translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>Waits until Ember is online again</source>
        <translation>等待 Ember 重新联网</translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>Waits until its drive is connected</source>
        <translation>等待磁盘连接</translation>
    </message>
    <message>
        <location filename="../../assets/catalog.toml"/>
        <source>Weights of three values, and squared ReLU.</source>
        <translation>三值权重，平方 ReLU。</translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>What has arrived is kept.</source>
        <translation>已下载的内容会保留。</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>What it reads for each token comes from main memory, at no more than {own} here.</source>
        <translation>每个词元要读取的内容来自内存，在这里最快为 {own}。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>What silencing the smallest activations would do to the layer's output (squared error, relative).</source>
        <translation>让最小的激活静默会对层的输出造成什么影响（相对平方误差）。</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>What the model needs beside its weights, most of it for the conversation, takes {needed} of memory; {available} are free. A shorter context takes less.</source>
        <translation>除权重以外，模型还需要 {needed} 内存，大部分用于对话；空闲 {available}。缩短上下文可以减少占用。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>What the predictions lose when only this share of the {what} is computed, the right ones for each token.</source>
        <translation>对每个词元只计算这个比例的、正确的{what}时，预测损失多少。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>While a tier answers, every 64th token is also computed exactly; where it drifts, the answer goes on exactly.</source>
        <translation>使用档位回答时，每第 64 个词元还会精确计算一次；如果发生漂移，回答会改为精确进行。</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>Whole layers on the card, as many as fit</source>
        <translation>按整层放入显卡，能放多少放多少</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>With a context of {tokens} tokens it would be in memory as a whole.</source>
        <translation>如果上下文为 {tokens} 个词元，就能整个放进内存。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>With an NVIDIA card, install it beside Ember: pip install 'emberchat[cuda13]', or emberchat[cuda12] where the driver is older than 580. Then restart Ember.</source>
        <translation>如果有 NVIDIA 显卡，请把支持与 Ember 安装在一起：pip install 'emberchat[cuda13]'，驱动早于 580 时使用 emberchat[cuda12]。然后重新启动 Ember。</translation>
    </message>
    <message>
        <location filename="../../assets/catalog.toml"/>
        <source>With predictors, in PowerInfer's own form of GGUF.</source>
        <translation>带预测器，采用 PowerInfer 自己的 GGUF 格式。</translation>
    </message>
    <message>
        <location filename="../../assets/catalog.toml"/>
        <source>With predictors, in PowerInfer's own form of GGUF; a sixth of the original's download. Its answers are known to be poor.</source>
        <translation>带预测器，采用 PowerInfer 自己的 GGUF 格式；下载量为原版的六分之一。已知它的回答质量较差。</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>With this model the processor alone would be as fast: {now}, predicted.</source>
        <translation>对这个模型，仅用处理器一样快：预测 {now}。</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>Without a card this model needs {needed} of main memory and {free} is free: what does not fit is read from the disk, which is much slower.</source>
        <translation>不使用显卡时，这个模型需要 {needed} 内存，空闲 {free}：放不下的部分会从磁盘读取，速度慢得多。</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>Without a card this model needs {needed} of main memory; {free} is free.</source>
        <translation>不使用显卡时，这个模型需要 {needed} 内存；空闲 {free}。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>Your chats</source>
        <translation>您的对话</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Your conversations are open in another Ember: {path} ({reason}).</source>
        <translation>您的对话已在另一个 Ember 中打开：{path}（{reason}）。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>Zeros</source>
        <translation>零值</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>a Git LFS pointer: the file itself was not downloaded</source>
        <translation>Git LFS 指针：文件本身没有下载</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>a branch, a tag or a commit</source>
        <translation>分支、标签或提交</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>a file</source>
        <translation>文件</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>a file of another kind</source>
        <translation>另一种文件</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>a file of certificates in PEM</source>
        <translation>PEM 格式的证书文件</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>a file without our metadata</source>
        <translation>没有我们元数据的文件</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>a licence of its own</source>
        <translation>自有许可证</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>a link in the place of a folder</source>
        <translation>文件夹处是一个链接</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>a link that leads out of the cache</source>
        <translation>指向缓存之外的链接</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>a link that leads out of the folder</source>
        <translation>指向文件夹之外的链接</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>a link that leads out of the library</source>
        <translation>指向模型库之外的链接</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <location filename="../../assets/catalog.toml"/>
        <source>a mixture of experts</source>
        <translation>混合专家模型</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>a model split into several</source>
        <translation>拆成几份的模型</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>a model that is prepared for use</source>
        <translation>已准备好的模型</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>a part of it cannot be read</source>
        <translation>其中一部分无法读取</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>a prompt read at once against token by token</source>
        <translation>一次读完的提示词与逐词元读取对照</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>a quantised checkpoint</source>
        <translation>量化的检查点</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>a repository with weights that Ember reads</source>
        <translation>包含 Ember 可读权重的仓库</translation>
    </message>
    <message>
        <location filename="../../app/benchmarks.py"/>
        <source>a speed that is no number</source>
        <translation>速度不是数字</translation>
    </message>
    <message>
        <location filename="../../app/settings_file.py"/>
        <source>a table of names</source>
        <translation>名称的表</translation>
    </message>
    <message>
        <location filename="../../app/time_left.py"/>
        <source>about {count} h left</source>
        <translation>剩余约 {count} 小时</translation>
    </message>
    <message>
        <location filename="../../app/time_left.py"/>
        <source>about {count} min left</source>
        <translation>剩余约 {count} 分钟</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>about {size}</source>
        <translation>约 {size}</translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>about {time} left</source>
        <translation>剩余约 {time}</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>accepted</source>
        <translation>已接受</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>access violation</source>
        <translation>访问冲突</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <location filename="../../app/neuron_charts.py"/>
        <location filename="../../app/neuron_tables.py"/>
        <source>active</source>
        <translation>活跃</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>active at every token</source>
        <translation>每个词元都活跃</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>active share by layer and use</source>
        <translation>按层和用途的活跃比例</translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>active, {kind}</source>
        <translation>活跃，{kind}</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>also active for the token before</source>
        <translation>上一个词元也活跃</translation>
    </message>
    <message>
        <location filename="../../app/neuron_figures.py"/>
        <source>also before</source>
        <translation>上一个也活跃</translation>
    </message>
    <message>
        <location filename="../../app/neuron_figures.py"/>
        <source>always</source>
        <translation>始终</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>an Ember model</source>
        <translation>Ember 模型</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>an address without encryption</source>
        <translation>没有加密的地址</translation>
    </message>
    <message>
        <location filename="../../app/settings_file.py"/>
        <source>an array of names</source>
        <translation>名称的数组</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>an empty file</source>
        <translation>空文件</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>another file of the same name</source>
        <translation>同名的另一个文件</translation>
    </message>
    <message>
        <location filename="../../app/neuron_figures.py"/>
        <source>any of {count}</source>
        <translation>任意 {count} 个</translation>
    </message>
    <message>
        <location filename="../../app/settings_file.py"/>
        <source>array</source>
        <translation>数组</translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>asking</source>
        <translation>询问中</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>assumed, {card}: {speed}</source>
        <translation>假设 {card}：{speed}</translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>at most</source>
        <translation>至多</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <location filename="../../app/device_words.py"/>
        <location filename="../../app/engine_phrases.py"/>
        <location filename="../../app/error_text.py"/>
        <source>attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <location filename="../../app/neuron_text.py"/>
        <source>attention heads</source>
        <translation>注意力头</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>attention on the card in {some} of {all} layers</source>
        <translation>{all} 层中有 {some} 层的注意力在显卡上</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>base</source>
        <translation>基座</translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>before attention</source>
        <translation>注意力之前</translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>below</source>
        <translation>低于</translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>below, on the average</source>
        <translation>低于（平均）</translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>best predictor</source>
        <translation>最佳预测器</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>both</source>
        <translation>两者</translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>budget in GiB</source>
        <translation>预算（GiB）</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>bytes saved by layer</source>
        <translation>各层节省的字节</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <location filename="../../app/engine_phrases.py"/>
        <source>cache</source>
        <translation>缓存</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>carried, of the neurons: {shares}</source>
        <translation>由这些比例的神经元承担：{shares}</translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>carry 80 %, {kind}</source>
        <translation>承担 80%，{kind}</translation>
    </message>
    <message>
        <location filename="../../app/neuron_figures.py"/>
        <source>carry {share}</source>
        <translation>承担 {share}</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>case</source>
        <translation>情形</translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>change</source>
        <translation>变化</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>chat</source>
        <translation>对话</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>chat template</source>
        <translation>对话模板</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>check</source>
        <translation>检查</translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>checking</source>
        <translation>校验中</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>checksums are missing</source>
        <translation>缺少校验和</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <location filename="../../app/neuron_words.py"/>
        <source>code</source>
        <translation>代码</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>compared with</source>
        <translation>对比对象</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>compute capability {major}.{minor}</source>
        <translation>计算能力 {major}.{minor}</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>compute capability {number}</source>
        <translation>计算能力 {number}</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>computing</source>
        <translation>计算</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>consecutive tokens</source>
        <translation>连续词元</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <location filename="../../app/error_text.py"/>
        <source>context and modules</source>
        <translation>上下文和模块</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>costs a mean KL of {kl} by itself, in {format}</source>
        <translation>{format} 本身造成平均 KL {kl}</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>coverage</source>
        <translation>覆盖</translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>cut</source>
        <translation>截断</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>decode at {count}</source>
        <translation>在 {count} 处解码</translation>
    </message>
    <message>
        <location filename="../../app/benchmarks.py"/>
        <source>decoding</source>
        <translation>解码</translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>deleted for good in {days} days</source>
        <translation>{days} 天后彻底删除</translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>deleted for good today</source>
        <translation>今天彻底删除</translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>deleted for good tomorrow</source>
        <translation>明天彻底删除</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>dense</source>
        <translation>稠密</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>depth</source>
        <translation>深度</translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>dialogue</source>
        <translation>对话</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>differing</source>
        <translation>不同</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>does not fit</source>
        <translation>放不下</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>down</source>
        <translation>下投影</translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>downloading</source>
        <translation>下载中</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>driver and kernels</source>
        <translation>驱动和内核</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <location filename="../../app/neuron_tables.py"/>
        <source>error of the output</source>
        <translation>输出误差</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <location filename="../../app/neuron_tables.py"/>
        <source>every neuron</source>
        <translation>全部神经元</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <location filename="../../app/neuron_words.py"/>
        <source>exact</source>
        <translation>精确</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <location filename="../../app/neuron_figures.py"/>
        <source>exact zeros</source>
        <translation>精确为零</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>exit code {code}</source>
        <translation>退出码 {code}</translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>fails here</source>
        <translation>在这里失败</translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>fast</source>
        <translation>快速</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>fastest</source>
        <translation>最快</translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>fine</source>
        <translation>精细</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>first FFN matrix</source>
        <translation>前馈层第一个矩阵</translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>first layer</source>
        <translation>第一层</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>fits</source>
        <translation>适合</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>fits in part</source>
        <translation>部分适合</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>flips against {what} kept</source>
        <translation>改变与保留的{what}</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>folders apart from each other</source>
        <translation>彼此分开的文件夹</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>for another program</source>
        <translation>供其他程序使用</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>format</source>
        <translation>格式</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>free</source>
        <translation>空闲</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>from disk</source>
        <translation>从磁盘运行</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>from the catalogue; may have changed</source>
        <translation>来自目录；可能已有变化</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>from the hub, now</source>
        <translation>来自 Hub，刚刚</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>gated drelu</source>
        <translation>门控 dReLU</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>gated fatrelu</source>
        <translation>门控 FATReLU</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>gated relu</source>
        <translation>门控 ReLU</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>gated relu2</source>
        <translation>门控 ReLU²</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>gated silu</source>
        <translation>门控 SiLU</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <location filename="../../app/engine_phrases.py"/>
        <location filename="../../app/error_text.py"/>
        <source>head</source>
        <translation>输出头</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>held up by</source>
        <translation>受限于</translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>here</source>
        <translation>已就位</translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>highest</source>
        <translation>最高</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <location filename="../../app/engine_phrases.py"/>
        <location filename="../../app/error_text.py"/>
        <source>hot neurons</source>
        <translation>热神经元</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>hot neurons in common</source>
        <translation>共有的热神经元</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>hot neurons in common by layer</source>
        <translation>各层共有的热神经元</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>hot share by layer and use</source>
        <translation>按层和用途的热比例</translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>how few neurons and heads suffice for the same predictions: the ceiling of every predictor</source>
        <translation>最少需要多少神经元和注意力头就能得出同样的预测：任何预测器的上限</translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>how much may be left out at a stated loss, and what it brings</source>
        <translation>在给定损失下可以略去多少，以及带来什么</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>https://host, without a user or a query</source>
        <translation>https://主机，不带用户名和查询</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>illegal instruction</source>
        <translation>非法指令</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>in common</source>
        <translation>共有</translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>in layer</source>
        <translation>所在层</translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>in the worst layer</source>
        <translation>最差的层</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>inside the proxy's connection</source>
        <translation>在代理的连接之内</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>it did not come from a hub</source>
        <translation>它不是来自 Hub</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>it is none of the library's folders any more</source>
        <translation>它已不再是模型库的文件夹</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>it was written and can no longer be read</source>
        <translation>写入后无法再读取</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>its JSON is nested too deeply</source>
        <translation>其中的 JSON 嵌套过深</translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>its bytes</source>
        <translation>自身字节</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>its header cannot be read</source>
        <translation>它的文件头无法读取</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>its list of tensors cannot be read</source>
        <translation>它的张量列表无法读取</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>its metadata cannot be read</source>
        <translation>它的元数据无法读取</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>its text is not in UTF-8</source>
        <translation>它的文本不是 UTF-8</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>its text is not the JSON that it should be</source>
        <translation>它的文本不是应有的 JSON</translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>keeps this computer awake</source>
        <translation>让电脑保持唤醒</translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>kept</source>
        <translation>保留</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>kept free</source>
        <translation>预留</translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>largest</source>
        <translation>最大</translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>last layer</source>
        <translation>最后一层</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <location filename="../../app/neuron_tables.py"/>
        <source>layer</source>
        <translation>层</translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>layers</source>
        <translation>层</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>layers of {tier}</source>
        <translation>{tier}档的各层</translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>layers that reach it</source>
        <translation>达到的层</translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>layers that save</source>
        <translation>有节省的层</translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <location filename="../../app/time_left.py"/>
        <source>less than a minute left</source>
        <translation>剩余不到一分钟</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>licence not stated</source>
        <translation>未说明许可证</translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>limit</source>
        <translation>上限</translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>limited to {rate}</source>
        <translation>限速 {rate}</translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>linear</source>
        <translation>线性</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>llama.cpp (llama-bench)</source>
        <translation>llama.cpp（llama-bench）</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>llama.cpp (llama-cpp-python)</source>
        <translation>llama.cpp（llama-cpp-python）</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>llama.cpp (xllamacpp)</source>
        <translation>llama.cpp（xllamacpp）</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>load {load} at the start, other programs took {share} % of the processors</source>
        <translation>开始时负载 {load}，其他程序占用处理器的 {share}%</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>logits apart at most</source>
        <translation>logits 最大差距</translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>lowest</source>
        <translation>最低</translation>
    </message>
    <message>
        <location filename="../../app/window/device/machine_card.py"/>
        <source>main memory, GB/s</source>
        <translation>内存，GB/s</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <location filename="../../app/neuron_tables.py"/>
        <source>mean</source>
        <translation>平均</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <location filename="../../app/neuron_tables.py"/>
        <source>mean KL</source>
        <translation>平均 KL</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>mean of the layers</source>
        <translation>各层平均</translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>measured, last answer</source>
        <translation>测得，上一个回答</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>memory of the conversation</source>
        <translation>对话的记忆</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>min to max</source>
        <translation>最小到最大</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>mixture of experts</source>
        <translation>混合专家</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>most active neurons</source>
        <translation>最活跃的神经元</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <location filename="../../app/neuron_tables.py"/>
        <source>named</source>
        <translation>指出</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>named by the predictor</source>
        <translation>预测器指出</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>named share by layer</source>
        <translation>各层指出的比例</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>neither packed nor a source</source>
        <translation>既没有打包也没有来源</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <location filename="../../app/neuron_text.py"/>
        <source>neurons</source>
        <translation>神经元</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>neurons active for any</source>
        <translation>对任一词元活跃的神经元</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>neurons active for any of {shares}</source>
        <translation>对其中任一词元活跃的神经元：{shares}</translation>
    </message>
    <message>
        <location filename="../../assets/catalog.toml"/>
        <source>neurons in routed blocks</source>
        <translation>路由分块中的神经元</translation>
    </message>
    <message>
        <location filename="../../app/neuron_figures.py"/>
        <source>never</source>
        <translation>从不</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>never active</source>
        <translation>从不活跃</translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>no ReLU</source>
        <translation>没有 ReLU</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>no card</source>
        <translation>没有显卡</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>no layers</source>
        <translation>没有层</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>no predictor</source>
        <translation>没有预测器</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>no share of the {what} suffices</source>
        <translation>{what}的任何比例都不够</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>no tier.</source>
        <translation>没有档位。</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>no token is kept for this hub</source>
        <translation>没有为这个 Hub 保存访问令牌</translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <location filename="../../app/neuron_words.py"/>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>none saves</source>
        <translation>无节省</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>not a file</source>
        <translation>不是文件</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>not a regular file</source>
        <translation>不是普通文件</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>not in the library</source>
        <translation>不在模型库中</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>not judged</source>
        <translation>未判断</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>not measured for {what}</source>
        <translation>未测量{what}</translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>not needed</source>
        <translation>不需要</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>not part of the model</source>
        <translation>不属于模型</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>not supported</source>
        <translation>不支持</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>of an unknown version</source>
        <translation>未知版本</translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>of every neuron</source>
        <translation>占全部神经元</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>of memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>of the activity</source>
        <translation>占活动的比例</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>of the limit</source>
        <translation>占上限的比例</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>of the {what}, these shares suffice: {found}</source>
        <translation>{what}的这些比例就足够：{found}</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>on the card, all of it</source>
        <translation>全部放入显卡</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>on the card: {share} of the neurons' work</source>
        <translation>显卡上：神经元工作量的 {share}</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>on the drive at most</source>
        <translation>最多占用磁盘</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>one of the library's folders</source>
        <translation>模型库的文件夹之一</translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>only exact</source>
        <translation>只有精确</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>other FFN rows</source>
        <translation>前馈层其他行</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <location filename="../../app/neuron_tables.py"/>
        <source>other likeliest word</source>
        <translation>最可能的词改变</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>other programs</source>
        <translation>其他程序</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>other threads</source>
        <translation>其他线程</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>ours</source>
        <translation>我方</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>ours, tokens/s</source>
        <translation>我方，词元/秒</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>output</source>
        <translation>输出</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>output head</source>
        <translation>输出头</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>overlap, dead and always-on by layer</source>
        <translation>各层的重叠、从不活跃和始终活跃</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>owner/name, owner/name@revision, or a link to a model on the hub</source>
        <translation>所有者/名称、所有者/名称@版本，或模型中心上某个模型的链接</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>packing</source>
        <translation>打包</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>parameters, about</source>
        <translation>参数，约</translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>perplexity</source>
        <translation>困惑度</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>plain fatrelu</source>
        <translation>无门控 FATReLU</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>plain relu</source>
        <translation>无门控 ReLU</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>plain relu2</source>
        <translation>无门控 ReLU²</translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>precision</source>
        <translation>查准率</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <location filename="../../app/catalog_words.py"/>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>predicted</source>
        <translation>预测</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>predicted: {speed}</source>
        <translation>预测：{speed}</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <location filename="../../app/neuron_tables.py"/>
        <source>predictor</source>
        <translation>预测器</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <location filename="../../app/engine_phrases.py"/>
        <location filename="../../app/error_text.py"/>
        <source>predictors</source>
        <translation>预测器</translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>preparing</source>
        <translation>准备中</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>printable ASCII without spaces</source>
        <translation>不含空格的可打印 ASCII 字符</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>program code, never run</source>
        <translation>程序代码，从不运行</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <location filename="../../app/benchmarks.py"/>
        <source>prompt of {count}</source>
        <translation>{count} 个词元的提示词</translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>prose</source>
        <translation>散文</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>quantiles of activations by layer</source>
        <translation>各层激活的分位数</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>random weights of the shape {name}</source>
        <translation>形状为 {name} 的随机权重</translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>rank {rank}</source>
        <translation>秩 {rank}</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>ratio</source>
        <translation>比值</translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>reads</source>
        <translation>读取</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>really active</source>
        <translation>实际活跃</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <location filename="../../app/neuron_tables.py"/>
        <source>recall</source>
        <translation>召回率</translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>recommended</source>
        <translation>推荐</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>result</source>
        <translation>结果</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>same</source>
        <translation>相同</translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>same layer</source>
        <translation>同一层</translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>same layer, before its norm</source>
        <translation>同一层，归一化之前</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <location filename="../../app/neuron_tables.py"/>
        <source>saved a token</source>
        <translation>每词元节省</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>several threads against one</source>
        <translation>多线程与单线程对照</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <location filename="../../app/benchmarks.py"/>
        <source>shape {name}</source>
        <translation>形状 {name}</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>share</source>
        <translation>比例</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>share of tokens</source>
        <translation>词元比例</translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>signs</source>
        <translation>符号</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <location filename="../../app/neuron_tables.py"/>
        <source>silenced</source>
        <translation>静默</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>silenced share against error</source>
        <translation>静默比例与误差</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <location filename="../../app/neuron_figures.py"/>
        <source>silent</source>
        <translation>静默</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>silent, all of them exact zeros</source>
        <translation>静默，全部精确为零</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>size not told</source>
        <translation>大小未知</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>skipping silent neurons against computing all</source>
        <translation>跳过静默神经元与全部计算对照</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>some text</source>
        <translation>一些文字</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>something that is no ordinary file</source>
        <translation>不是普通文件的内容</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>something that is not a regular file</source>
        <translation>不是常规文件的内容</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>speed unknown</source>
        <translation>速度未知</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>stack overflow</source>
        <translation>栈溢出</translation>
    </message>
    <message>
        <location filename="../../assets/catalog.toml"/>
        <source>state-space layers</source>
        <translation>状态空间层</translation>
    </message>
    <message>
        <location filename="../../assets/catalog.toml"/>
        <source>state-space layers and a mixture of experts</source>
        <translation>状态空间层与混合专家</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>status {number}</source>
        <translation>状态 {number}</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>streams a thread</source>
        <translation>每线程数据流</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>sums</source>
        <translation>求和</translation>
    </message>
    <message>
        <location filename="../../app/settings_file.py"/>
        <source>table</source>
        <translation>表</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>task</source>
        <translation>任务</translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>text</source>
        <translation>文本</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>the SHA-256 differs from the published file's</source>
        <translation>SHA-256 与发布的文件不同</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>the address</source>
        <translation>地址</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>the answer</source>
        <translation>响应</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>the answer ended early</source>
        <translation>响应提前结束</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>the compiled step against the reference in numpy</source>
        <translation>编译后的步骤与 numpy 参考对照</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>the copy differs from the original</source>
        <translation>副本与原件不同</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>the header is cut short</source>
        <translation>文件头被截断</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>the kind of answer</source>
        <translation>响应的类型</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>the length</source>
        <translation>长度</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>the measured speed of this computer's processor and {whose}</source>
        <translation>这台电脑处理器测得的速度和{whose}</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>the neurons a predictor names against the same in numpy</source>
        <translation>预测器指出的神经元与 numpy 中的相同神经元对照</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>the number of redirections</source>
        <translation>重定向次数</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>the published figures of the {card}, an assumption</source>
        <translation>{card} 公布的数据（假设值）</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>the read-rate probe</source>
        <translation>读取速率测试</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>the redirection</source>
        <translation>重定向</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>the same weights again</source>
        <translation>同样的权重，重复</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>the size</source>
        <translation>大小</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>the speeds measured on this computer</source>
        <translation>这台电脑测得的速度</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>the status</source>
        <translation>状态</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>the token is not valid</source>
        <translation>访问令牌无效</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>their file</source>
        <translation>对方文件</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>theirs, tokens/s</source>
        <translation>对方，词元/秒</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>there are no files</source>
        <translation>没有文件</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>there is no such file or folder</source>
        <translation>没有这个文件或文件夹</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>there is only one kind of text, and nothing to compare it with.</source>
        <translation>只有一种文本，没有可以比较的。</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <location filename="../../app/window/device/machine_card.py"/>
        <source>threads</source>
        <translation>线程</translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>tier</source>
        <translation>档位</translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>time left not known</source>
        <translation>剩余时间未知</translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>times</source>
        <translation>倍数</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>to download</source>
        <translation>下载量</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>to download, about</source>
        <translation>下载量，约</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <location filename="../../app/neuron_tables.py"/>
        <source>tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>tokens 0 to {last}</source>
        <translation>词元 0 到 {last}</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <location filename="../../app/benchmarks.py"/>
        <location filename="../../app/neuron_charts.py"/>
        <location filename="../../app/neuron_tables.py"/>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>tokens/s</source>
        <translation>词元/秒</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>too many values within each other</source>
        <translation>值嵌套太多</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>torch is not installed</source>
        <translation>没有安装 torch</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>torch weights</source>
        <translation>torch 权重</translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>trying again</source>
        <translation>重试中</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>union growth</source>
        <translation>并集的增长</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>unknown version</source>
        <translation>未知版本</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>up</source>
        <translation>上投影</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>updated {day}</source>
        <translation>更新于 {day}</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>variants</source>
        <translation>变体</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <location filename="../../app/download_words.py"/>
        <source>waiting</source>
        <translation>等待</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <location filename="../../app/neuron_tables.py"/>
        <source>weighted recall</source>
        <translation>加权召回率</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>weighted recall against named share</source>
        <translation>加权召回率与指出比例</translation>
    </message>
    <message>
        <location filename="../../assets/catalog.toml"/>
        <source>weights of three values</source>
        <translation>三值权重</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>weights that Ember reads</source>
        <translation>Ember 可读的权重</translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>what the neurons do: how many are silent, and how few carry the activity</source>
        <translation>神经元在做什么：有多少静默，以及活动集中在多少神经元上</translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>whether active neurons can be named before they are computed</source>
        <translation>能否在计算之前指出活跃的神经元</translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>which neurons matter for which kind of text</source>
        <translation>哪些神经元对哪种文本重要</translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>with ReLU</source>
        <translation>带 ReLU</translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>with a cut</source>
        <translation>有截断</translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>within</source>
        <translation>满足</translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>without</source>
        <translation>无截断</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>working memory</source>
        <translation>工作内存</translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>works</source>
        <translation>正常</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <location filename="../../app/error_text.py"/>
        <source>workspace</source>
        <translation>工作区</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>your account</source>
        <translation>您的账号</translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>your chats</source>
        <translation>您的对话</translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>your own text</source>
        <translation>您自己的文本</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>zeros and silent neurons by layer</source>
        <translation>各层的零值和静默神经元</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>{active} of the neurons are active for a token; over the whole text, half of the activity comes from {half}.</source>
        <translation>{active} 的神经元对一个词元活跃；在整个文本上，一半的活动来自 {half}。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>{active}, 80 % of the activity from {share}</source>
        <translation>{active}，80% 的活动来自 {share}</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>{card} is not in this computer: its memory and rate are its maker's published figures, what is reached of them and what crossing costs are assumptions, and nothing of it was measured.</source>
        <translation>这台电脑没有 {card}：它的显存和速率是厂商公布的数据，实际能达到多少以及传输的代价是假设，没有任何一项经过测量。</translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>{card}, assumed</source>
        <translation>{card}，假设</translation>
    </message>
    <message>
        <location filename="../../app/engine_phrases.py"/>
        <source>{count} bytes from {host}</source>
        <translation>从 {host} 读取了 {count} 字节</translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>{count} days</source>
        <translation>{count} 天</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>{count} downloads</source>
        <translation>{count} 次下载</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>{count} files</source>
        <translation>{count} 个文件</translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>{count} h</source>
        <translation>{count} 小时</translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <location filename="../../app/neuron_words.py"/>
        <source>{count} min</source>
        <translation>{count} 分钟</translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>{count} models in the trash, {size}</source>
        <translation>回收站中有 {count} 个模型，{size}</translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>{count} of {all}</source>
        <translation>{all} 中的 {count}</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>{count} others ({size}) are left where they are</source>
        <translation>另外 {count} 个（{size}）不下载</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>{count} predictors a layer: {names}</source>
        <translation>每层 {count} 个预测器：{names}</translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <location filename="../../app/neuron_words.py"/>
        <source>{count} s</source>
        <translation>{count} 秒</translation>
    </message>
    <message>
        <location filename="../../app/window/device/machine_card.py"/>
        <source>{count} threads</source>
        <translation>{count} 个线程</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>{count} tokens</source>
        <translation>{count} 个词元</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>{count} tokens are the same: {what}.</source>
        <translation>{count} 个词元相同：{what}。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>{count} tokens together need {share} of the neurons.</source>
        <translation>{count} 个词元合起来需要 {share} 的神经元。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>{count} tokens were counted, on this computer only</source>
        <translation>统计了 {count} 个词元，仅在这台电脑上</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>{count} tokens {share}</source>
        <translation>{count} 个词元 {share}</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>{created}, in {seconds} s; {state}</source>
        <translation>{created}，用时 {seconds} 秒；{state}</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>{created}, in {time}; Ember {version}</source>
        <translation>{created}，用时 {time}；Ember {version}</translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>{day} {month} {year}, {time}</source>
        <translation>{year} 年 {month} {day} 日 {time}</translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>{done} of {size}</source>
        <translation>{done} / {size}</translation>
    </message>
    <message>
        <location filename="../../app/language.py"/>
        <source>{figure} %</source>
        <translation>{figure}%</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>{files}, {size}</source>
        <translation>{files}，{size}</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>{first} and {last}</source>
        <translation>{first}和{last}</translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>{first} or {last}</source>
        <translation>{first}或{last}</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>{host} asked to come back in {wait_s} seconds (status {status}).</source>
        <translation>{host} 要求 {wait_s} 秒后再来（状态 {status}）。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>{host} asked to come back later (status {status}).</source>
        <translation>{host} 要求稍后再来（状态 {status}）。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>{host} cannot be reached: {reason}.</source>
        <translation>无法访问 {host}：{reason}。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>{host} has sent nothing for {silent_s} seconds.</source>
        <translation>{host} 已有 {silent_s} 秒没有发送数据。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>{hours} h {minutes} min</source>
        <translation>{hours} 小时 {minutes} 分钟</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>{kept} for {tier}</source>
        <translation>{tier}档 {kept}</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>{kept} for {tier} (KL {limit})</source>
        <translation>{tier}档 {kept}（KL {limit}）</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>{kl} of {limit}</source>
        <translation>{kl} / {limit}</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>{layers} layers of width {width}, {neurons} neurons each ({kind}), {format}</source>
        <translation>{layers} 层，宽度 {width}，每层 {neurons} 个神经元（{kind}），{format}</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>{layers} layers of width {width}, {neurons} neurons each ({kind}), {millions} M parameters</source>
        <translation>{layers} 层，宽度 {width}，每层 {neurons} 个神经元（{kind}），{millions} M 参数</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>{least} to {most}</source>
        <translation>{least} 到 {most}</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>{least} to {most} by layer</source>
        <translation>各层 {least} 到 {most}</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>{model_id} is in use.</source>
        <translation>{model_id} 正在使用。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>{model} has no tier “{tier}”: there is {there}.</source>
        <translation>{model} 没有“{tier}”档：有{there}。</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>{mode}, {share} % active</source>
        <translation>{mode}，{share}% 活跃</translation>
    </message>
    <message>
        <location filename="../../app/chat/exchange_words.py"/>
        <source>{n_conversations} conversations with {n_messages} messages were imported from {source}.</source>
        <translation>已从 {source} 导入 {n_conversations} 个对话，共 {n_messages} 条消息。</translation>
    </message>
    <message>
        <location filename="../../app/window/chats/exchange_control.py"/>
        <source>{n_done} of {n_all} conversations came in before. Import the file again for the rest: none is doubled.</source>
        <translation>之前导入了 {n_all} 个对话中的 {n_done} 个。再次导入这个文件即可得到其余的：不会重复。</translation>
    </message>
    <message>
        <location filename="../../app/chat/exchange_words.py"/>
        <source>{n_left_out} pictures, files and calls of tools were left out.</source>
        <translation>略去了 {n_left_out} 个图片、文件和工具调用。</translation>
    </message>
    <message>
        <location filename="../../app/chat/exchange_words.py"/>
        <source>{n_present} were there already.</source>
        <translation>{n_present} 个原本就有。</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>{name} was not measured: it is not installed here.</source>
        <translation>未测量 {name}：这里没有安装它。</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>{name} was not measured: there is no GGUF file of this model to give it.</source>
        <translation>未测量 {name}：没有这个模型的 GGUF 文件可以给它。</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>{name} was not measured: {detail}.</source>
        <translation>未测量 {name}：{detail}。</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>{needed} are needed, {available} are free.</source>
        <translation>需要 {needed}，可用 {available}。</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>{needed} of memory are needed and {available} are free, so that weights are read from the drive as the answer goes on.</source>
        <translation>需要 {needed} 内存，空闲 {available}，因此回答过程中会从磁盘读取权重。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>{never} were never active, {always} at every token</source>
        <translation>{never} 从不活跃，{always} 每个词元都活跃</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>{one} and {other} have most hot neurons in common ({share}), {third} and {fourth} fewest ({least}).</source>
        <translation>{one}和{other}共有的热神经元最多（{share}），{third}和{fourth}最少（{least}）。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>{one} and {other} have {share} of their hot neurons in common.</source>
        <translation>{one}和{other}有 {share} 的热神经元相同。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>{part} by {neurons}</source>
        <translation>{neurons} 承担 {part}</translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>{rate}/s</source>
        <translation>{rate}/秒</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>{repo} is already being downloaded by another Ember (process {process}).</source>
        <translation>另一个 Ember（进程 {process}）正在下载 {repo}。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>{repo} is only given to people who have accepted its terms.</source>
        <translation>{repo} 只提供给接受其条款的人。</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>{share} % of its neurons are silent for a token ({source}).</source>
        <translation>对一个词元来说，{share}% 的神经元是静默的（{source}）。</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>{share} % silent</source>
        <translation>{share}% 静默</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>{share} error</source>
        <translation>{share} 误差</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>{share} of a token's active neurons were active for the token before it</source>
        <translation>一个词元的活跃神经元中，{share} 在上一个词元时也活跃</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>{share} of a token's active neurons were active for the token before it.</source>
        <translation>一个词元的活跃神经元中，{share} 在上一个词元时也活跃。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>{share} of the activations are exactly zero</source>
        <translation>{share} 的激活精确为零</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>{share} of the neurons add little to a token, none is exactly zero.</source>
        <translation>{share} 的神经元对一个词元贡献很小，没有一个精确为零。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>{share} of the neurons are silent for a token.</source>
        <translation>{share} 的神经元对一个词元静默。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>{share} of the neurons are silent for a token; all of these are exact zeros.</source>
        <translation>{share} 的神经元对一个词元静默；全部精确为零。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>{share} of the neurons carry 80 % of the activity. Thin lines: layers.</source>
        <translation>{share} 的神经元承担 80% 的活动。细线：各层。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>{share} of the neurons for a token ({extremes})</source>
        <translation>对一个词元为 {share} 的神经元（{extremes}）</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>{size} a layer and token without a predictor</source>
        <translation>没有预测器时每层每词元 {size}</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>{size} a token, {speed} tokens/s</source>
        <translation>每词元 {size}，{speed} 词元/秒</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>{size} of it for the conversation</source>
        <translation>其中 {size} 用于对话</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>{size} once prepared</source>
        <translation>准备后为 {size}</translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <location filename="../../app/device_words.py"/>
        <location filename="../../app/neuron_charts.py"/>
        <source>{speed} tokens/s</source>
        <translation>{speed} 词元/秒</translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>{state}: {detail}</source>
        <translation>{state}：{detail}</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>{tiers}.</source>
        <translation>{tiers}。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>{tier} ({speed}, mean KL {kl})</source>
        <translation>{tier}（{speed}，平均 KL {kl}）</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>{times} times exact</source>
        <translation>精确的 {times} 倍</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>{title} that suffice</source>
        <translation>足够的{title}</translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>{title}, by layer</source>
        <translation>{title}，按层</translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>{title}, by {whose}</source>
        <translation>{title}，依据{whose}</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>{title}: other words</source>
        <translation>{title}：词的改变</translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>{total}, {free} free</source>
        <translation>{total}，空闲 {free}</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>{usable} of {physical} cores</source>
        <translation>{physical} 个核心中的 {usable} 个</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>{usable} processors</source>
        <translation>{usable} 个处理器</translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>{version}, {counts} threads</source>
        <translation>{version}，{counts} 个线程</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>{what} kept</source>
        <translation>保留的{what}</translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>|activation|</source>
        <translation>|激活|</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>“At most” is the upper end of the mean's 95 % interval over windows of text; a tier is offered where this is within its limit. One token in a hundred moves further than p99.</source>
        <translation>“至多”是平均值在各文本窗口上的 95% 区间的上端；它在上限之内时才提供这个档位。每百个词元中有一个的变化超过 p99。</translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>“Carry 50 %” are the fewest neurons that carry so much of the activity, “any of 8” those active for any of 8 consecutive tokens; “also before” are those of a token's active neurons that were active for the token before.</source>
        <translation>“承担 50%”是承担这么多活动的最少神经元，“任意 8 个”是对连续 8 个词元中任一个活跃的神经元；“上一个也活跃”是一个词元的活跃神经元中在上一个词元时也活跃的部分。</translation>
    </message>
    <message>
        <location filename="../../app/chat/exchange_words.py"/>
        <source>“{path}” cannot be imported: it is nested too deeply {place}.</source>
        <translation>无法导入“{path}”：{place} 嵌套太深。</translation>
    </message>
    <message>
        <location filename="../../app/chat/exchange_words.py"/>
        <source>“{path}” cannot be imported: the messages of {place} run in a circle ({found}).</source>
        <translation>无法导入“{path}”：{place} 的消息构成了循环（{found}）。</translation>
    </message>
    <message>
        <location filename="../../app/chat/exchange_words.py"/>
        <source>“{path}” cannot be imported: {place} answers a message that is not there ({found}).</source>
        <translation>无法导入“{path}”：{place} 回复的消息不存在（{found}）。</translation>
    </message>
    <message>
        <location filename="../../app/chat/exchange_words.py"/>
        <source>“{path}” cannot be imported: {place} has the value {found}.</source>
        <translation>无法导入“{path}”：{place} 的值是 {found}。</translation>
    </message>
    <message>
        <location filename="../../app/chat/exchange_words.py"/>
        <source>“{path}” cannot be imported: {place} has too many members ({found}).</source>
        <translation>无法导入“{path}”：{place} 的成员太多（{found}）。</translation>
    </message>
    <message>
        <location filename="../../app/chat/exchange_words.py"/>
        <source>“{path}” cannot be imported: {place} is missing ({found}).</source>
        <translation>无法导入“{path}”：缺少 {place}（{found}）。</translation>
    </message>
    <message>
        <location filename="../../app/chat/exchange_words.py"/>
        <source>“{path}” cannot be imported: {place} is there twice ({found}).</source>
        <translation>无法导入“{path}”：{place} 出现了两次（{found}）。</translation>
    </message>
    <message>
        <location filename="../../app/chat/exchange_words.py"/>
        <source>“{path}” cannot be imported: {place} is too long ({found} characters).</source>
        <translation>无法导入“{path}”：{place} 太长（{found} 个字符）。</translation>
    </message>
    <message>
        <location filename="../../app/chat/exchange_words.py"/>
        <source>“{path}” cannot be imported: {place} is {found}.</source>
        <translation>无法导入“{path}”：{place} 是 {found}。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>“{path}” cannot be read: Ember looked for {expected} and found {found}.</source>
        <translation>无法读取“{path}”：Ember 需要 {expected}，找到的是 {found}。</translation>
    </message>
    <message>
        <location filename="../../app/chat/exchange_words.py"/>
        <source>“{path}” cannot be read: {found}.</source>
        <translation>无法读取“{path}”：{found}。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>“{path}” is already being downloaded, perhaps by another Ember.</source>
        <translation>“{path}”已在下载，也许是另一个 Ember。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>“{path}” is damaged: {what}.</source>
        <translation>“{path}”已损坏：{what}。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>“{path}” is in a cache ({found}), where systems and cleaning programs delete files unasked.</source>
        <translation>“{path}”在缓存中（{found}），系统和清理程序会不经询问删除那里的文件。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>“{path}” is no GGUF file: Ember found {found}.</source>
        <translation>“{path}”不是 GGUF 文件：Ember 发现的是{found}。</translation>
    </message>
    <message>
        <location filename="../../app/chat/exchange_words.py"/>
        <source>“{path}” is no export that Ember knows ({found}).</source>
        <translation>“{path}”不是 Ember 认识的导出文件（{found}）。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>“{path}” is no file of text.</source>
        <translation>“{path}”不是文本文件。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>“{path}” is no text in UTF-8.</source>
        <translation>“{path}”不是 UTF-8 文本。</translation>
    </message>
    <message>
        <location filename="../../app/chat/exchange_words.py"/>
        <source>“{path}” is no text in UTF-8: {place} ({found}).</source>
        <translation>“{path}”不是 UTF-8 文本：{place}（{found}）。</translation>
    </message>
    <message>
        <location filename="../../app/chat/exchange_words.py"/>
        <source>“{path}” is no valid JSON: {place} ({found}).</source>
        <translation>“{path}”不是有效的 JSON：{place}（{found}）。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>“{path}” is not what the hub announced: {what} is {found}, expected {expected}.</source>
        <translation>“{path}”与 Hub 公布的不符：{what} 是 {found}，应为 {expected}。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>“{path}” is too large a text to study.</source>
        <translation>文本“{path}”太大，无法研究。</translation>
    </message>
    <message>
        <location filename="../../app/chat/exchange_words.py"/>
        <source>“{path}” is too large to be imported: {found}.</source>
        <translation>“{path}”太大，无法导入：{found}。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>“{path}” on the hub is missing or not complete{reason}.</source>
        <translation>Hub 上的“{path}”不存在或不完整{reason}。</translation>
    </message>
    <message>
        <location filename="../../app/chat/exchange_words.py"/>
        <source>“{path}” was exported by a later version ({found}).</source>
        <translation>“{path}”由更新的版本导出（{found}）。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>“{path}” was not found or cannot be read{reason}.</source>
        <translation>找不到或无法读取“{path}”{reason}。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>“{path}” was prepared by another version of Ember (format {found}, this version reads format {expected}).</source>
        <translation>“{path}”由其他版本的 Ember 准备（格式 {found}，这个版本读取格式 {expected}）。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>“{value}” cannot be used: {reason} is needed.</source>
        <translation>“{value}”不能使用：需要{reason}。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>“{value}” is no revision of a model: {reason} is expected.</source>
        <translation>“{value}”不是模型的版本：应为{reason}。</translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>“{value}” names no model of the hub: {reason} is expected.</source>
        <translation>“{value}”不是模型中心上模型的名称：应为{reason}。</translation>
    </message>
</context>
<context>
    <name>WorkCard</name>
    <message>
        <location filename="../../app/window/device/work_card.py"/>
        <source>%1 tokens</source>
        <translation>%1 个词元</translation>
    </message>
    <message>
        <location filename="../../app/window/device/work_card.py"/>
        <source>1 token</source>
        <translation>1 个词元</translation>
    </message>
    <message>
        <location filename="../../app/window/device/work_card.py"/>
        <source>Appears with the first tokens of the answer.</source>
        <translation>随回答的第一批词元出现。</translation>
    </message>
    <message>
        <location filename="../../app/window/device/work_card.py"/>
        <source>Both computed at once for %1 of the time; hatched: waiting for the other.</source>
        <translation>有 %1 的时间两者同时计算；斜线部分：等待对方。</translation>
    </message>
    <message>
        <location filename="../../app/window/device/work_card.py"/>
        <source>Card</source>
        <translation>显卡</translation>
    </message>
    <message>
        <location filename="../../app/window/device/work_card.py"/>
        <source>Neurons' work</source>
        <translation>神经元工作量</translation>
    </message>
    <message>
        <location filename="../../app/window/device/work_card.py"/>
        <source>Nothing has been measured yet. Ask the model something, and this shows who did the work.</source>
        <translation>还没有测量。向模型提一个问题，这里就会显示谁在工作。</translation>
    </message>
    <message>
        <location filename="../../app/window/device/work_card.py"/>
        <source>Of the answer that is being written: %1</source>
        <translation>正在写的回答：%1</translation>
    </message>
    <message>
        <location filename="../../app/window/device/work_card.py"/>
        <source>Of the last answer: %1</source>
        <translation>上一个回答：%1</translation>
    </message>
    <message>
        <location filename="../../app/window/device/work_card.py"/>
        <source>Processor</source>
        <translation>处理器</translation>
    </message>
    <message>
        <location filename="../../app/window/device/work_card.py"/>
        <source>Who does the work</source>
        <translation>谁在工作</translation>
    </message>
    <message>
        <location filename="../../app/window/device/work_card.py"/>
        <source>card %1, processor %2</source>
        <translation>显卡 %1，处理器 %2</translation>
    </message>
    <message>
        <location filename="../../app/window/device/work_card.py"/>
        <source>computed %1 of the time</source>
        <translation>%1 的时间在计算</translation>
    </message>
    <message>
        <location filename="../../app/window/device/work_card.py"/>
        <source>processor %1</source>
        <translation>处理器 %1</translation>
    </message>
    <message>
        <location filename="../../app/window/device/work_card.py"/>
        <source>waited %1</source>
        <translation>等待 %1</translation>
    </message>
</context>
</TS>
