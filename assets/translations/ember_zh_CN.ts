<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>AccentChoice</name>
    <message>
        <location filename="../../app/window/settings/accent_choice.py"/>
        <source>Ember</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/accent_choice.py"/>
        <source>Forest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/accent_choice.py"/>
        <source>Lagoon</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/accent_choice.py"/>
        <source>Rose</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/accent_choice.py"/>
        <source>Sky</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/accent_choice.py"/>
        <source>Violet</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>AdoptDialog</name>
    <message>
        <location filename="../../app/window/models/library_dialogs.py"/>
        <source>Checking and taking over: %1 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_dialogs.py"/>
        <source>Looking for models…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_dialogs.py"/>
        <source>Models of other programs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_dialogs.py"/>
        <source>No other program has models here that Ember could take over.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_dialogs.py"/>
        <source>Take %1 over</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_dialogs.py"/>
        <source>Take over</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_dialogs.py"/>
        <source>They stay where they are. On the same drive they take no further room.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_dialogs.py"/>
        <source>Waiting for its turn…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_dialogs.py"/>
        <source>is copied from another drive</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_dialogs.py"/>
        <source>takes no further room</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>AnswerPane</name>
    <message>
        <location filename="../../app/window/neurons/comparison_page.py"/>
        <source>Answer</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>AnswerPanel</name>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>%1: back to the preset’s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>A stop string has at most %1 characters.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>Above 1 the model repeats itself less; 1 is off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>All chats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>Answer settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>Base models go on with a text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>Chat template…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>Drop words below this share of the likeliest; 0 is off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>Figures below each answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>For every chat without settings of its own.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>For every chat without settings of its own. This one has its own.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>For example: Answer briefly and in plain words.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>For this chat alone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>Higher is more varied; 0 takes the likeliest.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>How a conversation becomes the text that the model reads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>In tokens; a token is about four letters.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>Keep only this many of the likeliest words; 0 is off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>Keep the likeliest words that add up to this share; 1 is off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>Longest answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>Min-p</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>One on each line; an answer ends before the first that it comes to. \n stands for a line break.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>Preset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>Read by the model before the conversation.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>Repetition penalty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>Seed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>Stop strings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>System prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>Temperature</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>The loaded model goes on with a text and does not read a system prompt.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>The same seed makes the same random choices. The one that was used is among an answer’s details.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>There are %1 stop strings; at most %2 can be kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>This chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>This chat uses the settings for all chats until something is changed here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>Tokens, speed and the time to the first token, as measured.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>Top-k</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>Top-p</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>Use those for all chats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>What you write is continued as it stands. Otherwise it is put to the model as a question.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>no limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/answer_panel.py"/>
        <source>random</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>AnswerView</name>
    <message>
        <location filename="../../app/window/transcript/message_view.py"/>
        <source>Answer again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/transcript/message_view.py"/>
        <source>Compare exact with a tier</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/transcript/message_view.py"/>
        <source>Next version</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/transcript/message_view.py"/>
        <source>Previous version</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>AttachmentChip</name>
    <message>
        <location filename="../../app/window/composer_new/attachments_bar.py"/>
        <source>Reading…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/composer_new/attachments_bar.py"/>
        <source>Remove</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/composer_new/attachments_bar.py"/>
        <source>Remove %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Attachments</name>
    <message>
        <location filename="../../app/window/composer_new/attachment_words.py"/>
        <source>%1 tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/composer_new/attachment_words.py"/>
        <source>A message can have at most %5 files. Remove another one first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/composer_new/attachment_words.py"/>
        <source>It cannot be read: %1. Check its permissions.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/composer_new/attachment_words.py"/>
        <source>It has %2, and at most %3 can be read. Add a part of it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/composer_new/attachment_words.py"/>
        <source>It has more than %5 characters. Add a part of it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/composer_new/attachment_words.py"/>
        <source>It has no text.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/composer_new/attachment_words.py"/>
        <source>It is not there any more. Choose it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/composer_new/attachment_words.py"/>
        <source>Pasted text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/composer_new/attachment_words.py"/>
        <source>Reading the PDF took longer than %5 seconds. Save a part of it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/composer_new/attachment_words.py"/>
        <source>The PDF asks for a password. Save it without one first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/composer_new/attachment_words.py"/>
        <source>The PDF has %4 pages, and at most %5 can be read. Save a part of it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/composer_new/attachment_words.py"/>
        <source>The PDF has pictures of pages and no text (%4 pages). Text recognition is needed first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/composer_new/attachment_words.py"/>
        <source>The PDF is damaged. Open it in a PDF viewer and save it anew.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/composer_new/attachment_words.py"/>
        <source>This is a folder or a device. Choose single files.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/composer_new/attachment_words.py"/>
        <source>This is no text file. Text, code and PDF can be read; save it as one of these.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/composer_new/attachment_words.py"/>
        <source>about %1 tokens</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Baselines</name>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>Ember: as much as fits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>Ember: neurons by how often they fire</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>Within %1, by %2:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>Within %1, predicted by the same account and the same speeds:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>does not fit</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>BudgetCard</name>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>%1 in all: %2 Ember, %3 other programs, %4 free</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>%1 of the neurons' work on the card</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>Budget in GiB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>By %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>From %1 with nothing on the card to %2 with %3.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>In force.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>In force; moving the neurons took %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>Is applied at once…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>It can be moved while an answer is written: the words stay the same, but for near ties that rounding decides.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>Let go to apply it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>Load a model to set its budget.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>Memory on the card</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>Moving neurons…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>Nothing of this model is on the card.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>Press Enter to apply it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>Use what is recommended</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>Use what is recommended: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>Working out what each budget buys…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>budget</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>measured after the next answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>measured once applied</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>measured, last answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>not predicted for a demonstration</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>of the neurons' work on the card</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>predicted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>predicted %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>predicted, between two points</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>BudgetSlider</name>
    <message>
        <location filename="../../app/window/device/budget_slider.py"/>
        <source>Memory that Ember may take on the card</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_slider.py"/>
        <source>recommended %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>CardDialog</name>
    <message>
        <location filename="../../app/window/models/library_dialogs.py"/>
        <source>%1, commit %2, fetched %3. Pictures are not loaded; links ask before they open.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_dialogs.py"/>
        <source>Card</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_dialogs.py"/>
        <source>Card and licence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_dialogs.py"/>
        <source>Card of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_dialogs.py"/>
        <source>Licence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_dialogs.py"/>
        <source>The licence is stated as %1; its text was not among the files.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_dialogs.py"/>
        <source>The publisher wrote no card, or it was not fetched.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>CardRow</name>
    <message>
        <location filename="../../app/window/device/cards_card.py"/>
        <source>Use %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/cards_card.py"/>
        <source>in use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/cards_card.py"/>
        <source>too old</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>CardsCard</name>
    <message>
        <location filename="../../app/window/device/cards_card.py"/>
        <source>End the demonstration</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/cards_card.py"/>
        <source>Graphics card</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/cards_card.py"/>
        <source>Graphics cards</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/cards_card.py"/>
        <source>The one with most free memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/cards_card.py"/>
        <source>Try a demonstration on the processor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/cards_card.py"/>
        <source>Use the card with most free memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/cards_card.py"/>
        <source>driver %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ChatPage</name>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>A model is being imported; a message sent now may have to wait.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>Another conversation is being answered; a message sent here waits.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>Choose a model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>Choose or import another model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>Conversations are not saved in this session.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>Esc stops the answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>I have read this</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>Loading the model…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>Models</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>Neurons are being studied; a message sent now is answered afterwards.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>New chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>No model is loaded.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>No model is loaded. Choose one from the library, or import a GGUF file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>Open the models page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>Restart the engine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>Speed is being measured; a message sent now is answered afterwards.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>Stopping…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>The answer is complete.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>The engine has stopped.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>The engine is starting. You can write already.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>They are gone when you close Ember. Restart it once the file can be used again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>Thinking…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>Try again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>Your message waits until a model is loaded.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>Your message waits until the engine runs again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>Your message waits until the speed measurement is done.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>Your message waits until the study of the neurons is done or paused.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>Your message waits: another conversation is being answered.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/chat_page.py"/>
        <source>Your message waits: the engine is starting…</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>CodeView</name>
    <message>
        <location filename="../../app/window/transcript/code_view.py"/>
        <source>Choose another folder, or copy the code. The code is still here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/transcript/code_view.py"/>
        <source>Code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/transcript/code_view.py"/>
        <source>Code, %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/transcript/code_view.py"/>
        <source>Copy code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/transcript/code_view.py"/>
        <source>Save code as a file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/transcript/code_view.py"/>
        <source>Save the code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/transcript/code_view.py"/>
        <source>Wrap long lines</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/transcript/code_view.py"/>
        <source>code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/transcript/code_view.py"/>
        <source>plain text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/transcript/code_view.py"/>
        <source>“%1” could not be saved: %2.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>CommandPalette</name>
    <message>
        <location filename="../../app/window/palette.py"/>
        <source>Commands</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/palette.py"/>
        <source>Nothing like that</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/palette.py"/>
        <source>Type what you want to do, or a conversation, a model, a setting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/palette.py"/>
        <source>What was found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/palette.py"/>
        <source>What you want to do</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>CompareRow</name>
    <message>
        <location filename="../../app/window/neurons/compare_row.py"/>
        <source>%1 is not loaded; once it is, it can answer exactly and by a tier.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/compare_row.py"/>
        <source>Compare</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/compare_row.py"/>
        <source>Compare exact with the tier</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/compare_row.py"/>
        <source>For example: Explain how rain forms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/compare_row.py"/>
        <source>Load %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/compare_row.py"/>
        <source>Load this model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/compare_row.py"/>
        <source>One prompt, answered exactly and by a tier, with the same seed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/compare_row.py"/>
        <source>Prompt to compare answers to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/compare_row.py"/>
        <source>See the difference</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/compare_row.py"/>
        <source>Tier to compare with exact</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ComparisonPage</name>
    <message>
        <location filename="../../app/window/neurons/comparison_page.py"/>
        <source>%1 answers twice with the same seed: exactly, and by a tier.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/comparison_page.py"/>
        <source>%1 has no tier to compare with. The page on neurons measures what it can leave out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/comparison_page.py"/>
        <source>%1 ran at %2 × the speed of exact</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/comparison_page.py"/>
        <source>%1 tokens/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/comparison_page.py"/>
        <source>Answered after the messages before it in the conversation. A prompt compared here stands alone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/comparison_page.py"/>
        <source>Back to where you came from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/comparison_page.py"/>
        <source>Both answers are shown when they are finished. Messages sent meanwhile wait.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/comparison_page.py"/>
        <source>Both answers are the same, all %1 tokens of them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/comparison_page.py"/>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/comparison_page.py"/>
        <source>Compare</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/comparison_page.py"/>
        <source>Compare answers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/comparison_page.py"/>
        <source>Compare exact with the tier</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/comparison_page.py"/>
        <source>For example: Explain how rain forms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/comparison_page.py"/>
        <source>No model is loaded that could answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/comparison_page.py"/>
        <source>Prompt to compare answers to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/comparison_page.py"/>
        <source>Stopping…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/comparison_page.py"/>
        <source>The first %1 tokens are the same; then exact goes on with %2, %3 with %4.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/comparison_page.py"/>
        <source>The first token is the same; then exact goes on with %2, %3 with %4.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/comparison_page.py"/>
        <source>They part at the first token: exact begins with %2, %3 with %4.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/comparison_page.py"/>
        <source>Tier to compare with exact</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/comparison_page.py"/>
        <source>Waits until the answer that is being written is finished.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/comparison_page.py"/>
        <source>Waits until the engine is free again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/comparison_page.py"/>
        <source>answers end after %1 tokens at most</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/comparison_page.py"/>
        <source>exact against</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/comparison_page.py"/>
        <source>its end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/comparison_page.py"/>
        <source>seed %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message>
        <location filename="../../app/window/composer_new/composer.py"/>
        <source>Add files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/composer_new/composer.py"/>
        <source>Add files to the message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/composer_new/composer.py"/>
        <source>All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/composer.py"/>
        <location filename="../../app/window/composer_new/composer.py"/>
        <source>Enter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/composer.py"/>
        <location filename="../../app/window/composer_new/composer.py"/>
        <source>Esc</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/composer.py"/>
        <location filename="../../app/window/composer_new/composer.py"/>
        <source>Message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/composer_new/composer.py"/>
        <source>PDF files (*.pdf)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/composer.py"/>
        <location filename="../../app/window/composer_new/composer.py"/>
        <source>Send</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/composer.py"/>
        <location filename="../../app/window/composer_new/composer.py"/>
        <source>Stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/composer_new/composer.py"/>
        <source>Write a message, or / for a prompt…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/composer.py"/>
        <source>Write a message…</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ConnectionDialog</name>
    <message>
        <location filename="../../app/window/models/connection_dialog.py"/>
        <source>Everything works.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/connection_dialog.py"/>
        <source>It fails at: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/connection_dialog.py"/>
        <source>Test again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/connection_dialog.py"/>
        <source>Test the connection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/connection_dialog.py"/>
        <source>Testing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/connection_dialog.py"/>
        <source>The way to %1, with a file of %2.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ContextDetails</name>
    <message>
        <location filename="../../app/window/context_gauge.py"/>
        <source>%1 messages with %2 tokens are left out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/context_gauge.py"/>
        <source>%1 tokens in the middle of your message are left out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/context_gauge.py"/>
        <source>All together</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/context_gauge.py"/>
        <source>Context</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/context_gauge.py"/>
        <source>Form of the prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/context_gauge.py"/>
        <source>It does not fit: %1 tokens too many. Shorten it, or choose below what may be left out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/context_gauge.py"/>
        <source>Keep the first message and its answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/context_gauge.py"/>
        <source>Leave out the middle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/context_gauge.py"/>
        <source>Leave out the oldest turns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/context_gauge.py"/>
        <source>Messages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/context_gauge.py"/>
        <source>Room for the answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/context_gauge.py"/>
        <source>Stop and ask me</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/context_gauge.py"/>
        <source>System prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/context_gauge.py"/>
        <source>What the model reads, in tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/context_gauge.py"/>
        <source>What you are writing, with files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/context_gauge.py"/>
        <source>When a conversation does not fit</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ContextGauge</name>
    <message>
        <location filename="../../app/window/context_gauge.py"/>
        <source>%1 messages are left out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/context_gauge.py"/>
        <location filename="../../app/window/top_bar.py"/>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/context_gauge.py"/>
        <source>Context</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/context_gauge.py"/>
        <location filename="../../app/window/top_bar.py"/>
        <source>Context: this conversation takes %1 of the %2 tokens the model can read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/context_gauge.py"/>
        <source>It does not fit.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ConversationDelegate</name>
    <message>
        <location filename="../../app/window/conversation_list.py"/>
        <source>Title of the conversation</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ConversationList</name>
    <message>
        <location filename="../../app/window/conversation_list.py"/>
        <source>Conversations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/conversation_list.py"/>
        <source>Delete</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/conversation_list.py"/>
        <source>Last 30 days</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/conversation_list.py"/>
        <source>Last 7 days</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/conversation_list.py"/>
        <source>Older</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/conversation_list.py"/>
        <source>Rename</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/conversation_list.py"/>
        <source>Today</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/conversation_list.py"/>
        <source>Untitled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/conversation_list.py"/>
        <source>Yesterday</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>DesktopTray</name>
    <message>
        <location filename="../../app/window/tray.py"/>
        <source>New chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/tray.py"/>
        <source>Quit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/tray.py"/>
        <source>Show Ember</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>DetailsPane</name>
    <message>
        <location filename="../../app/window/models/details_pane.py"/>
        <source>%1 downloads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/details_pane.py"/>
        <source>Back to all models</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/details_pane.py"/>
        <source>Beginning…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/details_pane.py"/>
        <source>Details of a model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/details_pane.py"/>
        <source>Ember is offline: the hub is not asked, and nothing can be downloaded.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/details_pane.py"/>
        <source>Escape</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/details_pane.py"/>
        <source>Go online</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/details_pane.py"/>
        <source>It is on this computer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/details_pane.py"/>
        <source>The engine has stopped.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/details_pane.py"/>
        <source>continues text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/details_pane.py"/>
        <source>taught to hold a conversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/details_pane.py"/>
        <source>updated %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>DeviceChip</name>
    <message>
        <location filename="../../app/window/top_bar.py"/>
        <source>Device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/top_bar.py"/>
        <source>Device. %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>DevicePage</name>
    <message>
        <location filename="../../app/window/device/device_page.py"/>
        <source>Back to the conversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/device_page.py"/>
        <source>Device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/device_page.py"/>
        <source>Looking at this computer, once the answer that is being written is finished…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/device_page.py"/>
        <source>Looking at this computer…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/device_page.py"/>
        <source>Take %1 again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/device_page.py"/>
        <source>Try again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/device_page.py"/>
        <source>What computes your answers: neurons that fire often in a graphics card's memory, the others on the processor at the same time.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Dialogs</name>
    <message>
        <location filename="../../app/window/dialogs.py"/>
        <source>All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/dialogs.py"/>
        <source>Apache-2.0. Made with Qt and PySide6 (LGPL-3.0).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/dialogs.py"/>
        <source>Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/dialogs.py"/>
        <source>Desktop chat for large language models with sparse activations. Everything runs on this computer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/dialogs.py"/>
        <source>Diagnostics</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/dialogs.py"/>
        <source>Ember %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/dialogs.py"/>
        <source>GGUF models (*.gguf)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/dialogs.py"/>
        <source>Import a model's folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/dialogs.py"/>
        <source>Import models</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/dialogs.py"/>
        <source>It leads to %1:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/dialogs.py"/>
        <source>JSON files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/dialogs.py"/>
        <source>Licence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/dialogs.py"/>
        <source>Licence of Ember</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/dialogs.py"/>
        <source>Open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/dialogs.py"/>
        <source>Open this link in your browser?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/dialogs.py"/>
        <source>Pictures</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/dialogs.py"/>
        <source>Save the report</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/dialogs.py"/>
        <source>Text (*.txt *.md *.rst *.py *.csv *.json)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/dialogs.py"/>
        <source>Text files for studies</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/dialogs.py"/>
        <source>This will be copied. Names, folders and keys have been taken out; look through it all the same.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/dialogs.py"/>
        <source>Web pages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/dialogs.py"/>
        <source>from its source folder</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>DiscoverSection</name>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>%1 found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>%1 of %2 are shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>10 billion parameters and more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>2 to 10 B</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>2 to 10 billion parameters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>Base</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>Chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>Close the search</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>Continue a text; not taught to hold a conversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>Ember is offline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>Ember is offline. The catalogue is on this computer; the hub cannot be searched.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>Enter searches the hub.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>Fewer than 2 billion parameters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>Filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>Go online</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>Models of the catalogue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>Models on the hub</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>NAME/MODEL, NAME/MODEL@REVISION or a link opens that model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>None of %1 fits the filters.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>Nothing was found. Fewer words, or another spelling, may find more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>On the hub</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>Over 10 B</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>Reading the catalogue…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>Runs here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>Search field</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>Search models, or paste a model's name or link</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>Search the hub</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>Search, or paste a model's name or link</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>Searching…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>Show all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>Show all models of the catalogue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>Sparse models Ember knows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>Taught to hold a conversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>Try again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>Under 2 B</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>Without those that Ember does not run, and those whose weights, at 4 bits each, exceed this computer's memory. Each model's page tells exactly.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>Words narrow the catalogue down; Enter searches the hub for them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>not supported</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>on this computer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/discover_section.py"/>
        <source>owner:NAME and tag:NAME search by organisation and tag.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>DownloadRow</name>
    <message>
        <location filename="../../app/window/models/download_row.py"/>
        <source>%1: earlier</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/download_row.py"/>
        <source>%1: later</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/download_row.py"/>
        <source>Chat with %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/download_row.py"/>
        <source>Chat with it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/download_row.py"/>
        <source>Continue %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/download_row.py"/>
        <source>Earlier</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/download_row.py"/>
        <source>Files of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/download_row.py"/>
        <source>Give up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/download_row.py"/>
        <source>Give up %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/download_row.py"/>
        <source>Hide the files of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/download_row.py"/>
        <source>Later</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/download_row.py"/>
        <source>Pause</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/download_row.py"/>
        <source>Pause %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/download_row.py"/>
        <source>Show the files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/download_row.py"/>
        <source>Show the files of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/download_row.py"/>
        <source>Take %1 off the list</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>DownloadsSection</name>
    <message>
        <location filename="../../app/window/models/downloads_section.py"/>
        <source>%1 that have arrived are deleted. Pausing keeps them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/downloads_section.py"/>
        <source>Downloads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/downloads_section.py"/>
        <source>Downloads (%1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/downloads_section.py"/>
        <source>Give up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/downloads_section.py"/>
        <source>Give up the download of %1?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/downloads_section.py"/>
        <source>Keep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/downloads_section.py"/>
        <source>The files that have arrived are deleted. Pausing keeps them.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>EmptyHistory</name>
    <message>
        <location filename="../../app/window/speed_page.py"/>
        <source>Measure a model here, or run “ember bench” in a terminal: reports of both are kept on this page.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/speed_page.py"/>
        <source>Nothing has been measured yet</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>EmptyState</name>
    <message>
        <location filename="../../app/window/empty_state.py"/>
        <source>Explain how rain forms, in simple words</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/empty_state.py"/>
        <source>Give me three ideas for a weekend walk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/empty_state.py"/>
        <source>New conversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/empty_state.py"/>
        <source>Suggestion: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/empty_state.py"/>
        <source>Tell me a short story about a lighthouse</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/empty_state.py"/>
        <source>What is on your mind?</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ErrorCard</name>
    <message>
        <location filename="../../app/window/error_card.py"/>
        <source>Details of the error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/error_card.py"/>
        <source>Hide details</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/error_card.py"/>
        <source>Show details</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>FileDialog</name>
    <message>
        <location filename="../../app/window/composer_new/file_dialog.py"/>
        <source>%1, %2 lines</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/composer_new/file_dialog.py"/>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/composer_new/file_dialog.py"/>
        <source>Put it into the message as text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/composer_new/file_dialog.py"/>
        <source>Remove</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/composer_new/file_dialog.py"/>
        <source>Text of the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/composer_new/file_dialog.py"/>
        <source>only the first %1 characters are shown</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>FileList</name>
    <message>
        <location filename="../../app/window/models/file_list.py"/>
        <source>File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/file_list.py"/>
        <source>Size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/file_list.py"/>
        <source>State</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>FilesCard</name>
    <message>
        <location filename="../../app/window/models/files_card.py"/>
        <source>Files of the repository</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/files_card.py"/>
        <source>Hide the files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/files_card.py"/>
        <source>Open its page on the hub…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/files_card.py"/>
        <source>Show the files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/files_card.py"/>
        <source>What is fetched</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/files_card.py"/>
        <source>is fetched</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>FitCard</name>
    <message>
        <location filename="../../app/window/models/fit_card.py"/>
        <source>4 and 8 bits per weight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/fit_card.py"/>
        <source>4 bits per weight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/fit_card.py"/>
        <source>8 bits per weight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/fit_card.py"/>
        <source>Asking the hub…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/fit_card.py"/>
        <source>Chat with it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/fit_card.py"/>
        <source>Context</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/fit_card.py"/>
        <source>Context of %1 tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/fit_card.py"/>
        <source>Download</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/fit_card.py"/>
        <source>Download %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/fit_card.py"/>
        <source>Download %1 anyway</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/fit_card.py"/>
        <source>Ember cannot run this model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/fit_card.py"/>
        <source>Folder for the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/fit_card.py"/>
        <source>Looking whether it fits…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/fit_card.py"/>
        <source>Precision by model size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/fit_card.py"/>
        <source>Precision once prepared</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/fit_card.py"/>
        <source>Reading what the model is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/fit_card.py"/>
        <source>Try again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/fit_card.py"/>
        <source>Usual context</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/fit_card.py"/>
        <source>Whether it fits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/fit_card.py"/>
        <source>Whether it fits is not known yet</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>FormulaView</name>
    <message>
        <location filename="../../app/window/transcript/formula_view.py"/>
        <source>Formula: %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>GateCard</name>
    <message>
        <location filename="../../app/window/models/gate_card.py"/>
        <source>A token for %1 is kept; another one takes its place.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/gate_card.py"/>
        <source>Access</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/gate_card.py"/>
        <source>Access token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/gate_card.py"/>
        <source>Access token of the hub</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/gate_card.py"/>
        <source>It is kept in the system's keyring and sent to %1 only.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/gate_card.py"/>
        <source>Keep the token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/gate_card.py"/>
        <source>Open the page with the terms…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/gate_card.py"/>
        <source>The token that is kept does not open this model yet.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>HeatCard</name>
    <message>
        <location filename="../../app/window/device/heat_map.py"/>
        <source>%1 layers, each in %2 buckets of neurons.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/heat_map.py"/>
        <source>A picture of the model's neurons: a row for each layer, and which of them fire while an answer is written. It appears with the next answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/heat_map.py"/>
        <source>Live, one token several times a second.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/heat_map.py"/>
        <source>Neurons as they fire</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/heat_map.py"/>
        <source>No picture is to be had: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/heat_map.py"/>
        <source>The last token that was looked at.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>HeatLegend</name>
    <message>
        <location filename="../../app/window/device/heat_map.py"/>
        <source>Colours: %1; the stronger, the more of a bucket's neurons fired</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/heat_map.py"/>
        <source>cold, on the processor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/heat_map.py"/>
        <source>hot, on the card</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/heat_map.py"/>
        <source>silent to all fired</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>HeatMap</name>
    <message>
        <location filename="../../app/window/device/heat_map.py"/>
        <source>%1 fired</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/heat_map.py"/>
        <source>%1 of it on the card</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/heat_map.py"/>
        <source>Neurons by layer and bucket, as they fire</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/heat_map.py"/>
        <source>fire most often</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/heat_map.py"/>
        <source>first neurons of a layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/heat_map.py"/>
        <source>last</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/heat_map.py"/>
        <source>layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/heat_map.py"/>
        <source>layer %1, bucket %2 of %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/heat_map.py"/>
        <source>least often</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/heat_map.py"/>
        <source>on the card</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/heat_map.py"/>
        <source>on the processor</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ImportCard</name>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>%1 was not imported</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>Importing %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LearningChoice</name>
    <message>
        <location filename="../../app/window/neurons/learning_choice.py"/>
        <source>Adds up how often each neuron was active in answers, never what was written. The counts lie in the model library, beside the model, and go nowhere else.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/learning_choice.py"/>
        <source>Delete what was counted (%1 tokens)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/learning_choice.py"/>
        <source>Learn from my chats which neurons are used (kept on this computer)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/learning_choice.py"/>
        <source>Open the folder where the counts are kept</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LibrarySection</name>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>%1 of memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>4 and 8 bits per weight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>4 bits per weight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>4 bits take half the memory and lose a little; 4 and 8 bits keep more where it matters.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>8 bits per weight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>A folder with config.json and safetensors files.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>Asking the hub for updates…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>By model size: 8 bits, and 4 and 8 bits from a billion weights.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>Check for updates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>Check for updates (%1 could not be asked for)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>Check for updates (%1 found)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>Check for updates (all are the newest)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>Discover models</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>Discover shows models with sparse activations and says, before anything is downloaded, whether one fits this computer. A GGUF file or a model's folder can be imported as well.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>Drop .gguf files or a model's folder anywhere on this window; they stay where they are.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>Ember is offline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>From %1, commit %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>From the file or folder %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>How precisely an imported model's weights are kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>Import GGUF…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>Import a GGUF file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>Import a folder…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>Import a model's folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>In %1, which is not connected. It is here again once its drive is.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>Its newer version is here, and takes its place once this one is not loaded.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>Loaded: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>Models of other programs…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>Moving to another folder: %1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>Moving to another folder…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>No model is on this computer yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>Open the library's folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>Precision by model size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>Reading the library…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>There is a newer commit on the hub (%1).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>Trash</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>Try again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>Weight format of imported models</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>reads up to %1 tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_section.py"/>
        <source>threads: %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LineChart</name>
    <message>
        <location filename="../../app/window/speed_charts.py"/>
        <source>Decoding over time: %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LogsPage</name>
    <message numerus="yes">
        <location filename="../../app/window/logs_page.py"/>
        <source>%n line(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <location filename="../../app/window/logs_page.py"/>
        <source>Back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/logs_page.py"/>
        <source>Copy diagnostics…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/logs_page.py"/>
        <source>Copy the lines shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/logs_page.py"/>
        <source>Errors only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/logs_page.py"/>
        <source>Everything</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/logs_page.py"/>
        <source>Follow</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/logs_page.py"/>
        <source>Follow: keep the newest lines in sight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/logs_page.py"/>
        <source>From notes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/logs_page.py"/>
        <source>From warnings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/logs_page.py"/>
        <source>Least level shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/logs_page.py"/>
        <source>Lines of the logs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/logs_page.py"/>
        <source>Logs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/logs_page.py"/>
        <source>No line matches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/logs_page.py"/>
        <source>Nothing has been written to %1 yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/logs_page.py"/>
        <source>Open the folder of the logs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/logs_page.py"/>
        <source>Search the logs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/logs_page.py"/>
        <source>What window and engine wrote down. What you write and what models answer is not in it.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MachineCard</name>
    <message>
        <location filename="../../app/window/device/machine_card.py"/>
        <source>%1 cores</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/machine_card.py"/>
        <source>%1 of memory, %2 free</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/machine_card.py"/>
        <source>%1 of them usable</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/machine_card.py"/>
        <source>1 core</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/machine_card.py"/>
        <source>Begins once the answer that is being written is finished.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/machine_card.py"/>
        <source>Fastest with %1 threads: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/machine_card.py"/>
        <source>Measure</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/machine_card.py"/>
        <source>Measure the speeds of this computer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/machine_card.py"/>
        <source>Messages that you send meanwhile wait until this is done.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/machine_card.py"/>
        <source>Speeds of this computer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/machine_card.py"/>
        <source>from the card</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/machine_card.py"/>
        <source>the card's memory, read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/machine_card.py"/>
        <source>there and back, a short vector</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/machine_card.py"/>
        <source>to the card</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <location filename="../../app/window/main_window.py"/>
        <source>%1 of the neurons’ work is on the card</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/main_window.py"/>
        <source>Answer settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/main_window.py"/>
        <source>Conversation deleted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/main_window.py"/>
        <source>Demonstration</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/main_window.py"/>
        <source>Licence of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/main_window.py"/>
        <source>New chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/main_window.py"/>
        <source>Show or hide the list of conversations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/main_window.py"/>
        <source>The last answer has been copied</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/main_window.py"/>
        <source>Undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/main_window.py"/>
        <source>card %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MeasureCard</name>
    <message>
        <location filename="../../app/window/speed_page.py"/>
        <source>Measuring %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/speed_page.py"/>
        <source>Stopping…</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MemoryBar</name>
    <message>
        <location filename="../../app/window/device/memory_bar.py"/>
        <source>Memory of the card: %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MemoryLegend</name>
    <message>
        <location filename="../../app/window/device/memory_bar.py"/>
        <source>Of %1: %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MemoryWords</name>
    <message>
        <location filename="../../app/window/memory_words.py"/>
        <source>%1 are free for it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/memory_words.py"/>
        <source>%1 are free for it, so little is left for other programs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/memory_words.py"/>
        <source>Only %1 are free, %2 too few: it would be read from the disk while it answers, slowly.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/memory_words.py"/>
        <source>Only %1 are free: it cannot be loaded. Close other programs; %2 are missing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/memory_words.py"/>
        <source>Takes about %1 of memory: %2 weights, %3 for a context of %4 tokens, %5 to work in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/memory_words.py"/>
        <source>estimated %1, takes %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/memory_words.py"/>
        <source>takes about %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MessageView</name>
    <message>
        <location filename="../../app/window/transcript/message_view.py"/>
        <source>Copy message</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ModelButton</name>
    <message>
        <location filename="../../app/window/sidebar.py"/>
        <source>Models</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/sidebar.py"/>
        <source>Models. %1, %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ModelCard</name>
    <message>
        <location filename="../../app/window/model_card.py"/>
        <source>A base model: it continues text and was not taught to hold a conversation.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/model_card.py"/>
        <source>A small English starter model, weak at reasoning and arithmetic, %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/model_card.py"/>
        <source>Card and licence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/model_card.py"/>
        <source>Card and licence of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/model_card.py"/>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/model_card.py"/>
        <source>Fetch the update</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/model_card.py"/>
        <source>Fetch the update of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/model_card.py"/>
        <source>It is there to try Ember with.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/model_card.py"/>
        <source>Load</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/model_card.py"/>
        <source>Load %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/model_card.py"/>
        <source>Loaded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/model_card.py"/>
        <source>Move %1 to another folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/model_card.py"/>
        <source>Move %1 to the trash</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/model_card.py"/>
        <source>Move to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/model_card.py"/>
        <source>Move to the trash</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/model_card.py"/>
        <source>Read the licence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/model_card.py"/>
        <source>context of %1 tokens</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ModelChip</name>
    <message>
        <location filename="../../app/window/top_bar.py"/>
        <source>%1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/top_bar.py"/>
        <source>All models…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/top_bar.py"/>
        <source>Model: %1, %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ModelPicker</name>
    <message>
        <location filename="../../app/window/model_picker.py"/>
        <source>All models…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/model_picker.py"/>
        <source>Choose a model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/model_picker.py"/>
        <source>Find a model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/model_picker.py"/>
        <source>Load</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/model_picker.py"/>
        <source>Load instead</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/model_picker.py"/>
        <source>Models on this computer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/model_picker.py"/>
        <source>No model is on this computer yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/model_picker.py"/>
        <source>No model on this computer is called so.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/model_picker.py"/>
        <source>Reckoning what it takes of memory…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/model_picker.py"/>
        <source>Type to find a model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/model_picker.py"/>
        <source>Unload</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/model_picker.py"/>
        <source>What it takes of memory is reckoned once the engine is free.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/model_picker.py"/>
        <source>answering</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/model_picker.py"/>
        <source>asleep: the next message loads it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/model_picker.py"/>
        <source>busy: it is being measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/model_picker.py"/>
        <source>loaded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/model_picker.py"/>
        <source>loading…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/model_picker.py"/>
        <source>not prepared yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/model_picker.py"/>
        <source>on disk</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ModelWords</name>
    <message>
        <location filename="../../app/window/model_words.py"/>
        <source>Ember</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/model_words.py"/>
        <source>No model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/model_words.py"/>
        <source>loading…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/model_words.py"/>
        <source>none is loaded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/model_words.py"/>
        <source>pauses while neurons are studied</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/model_words.py"/>
        <source>pauses while speed is measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/model_words.py"/>
        <source>ready</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/model_words.py"/>
        <source>the engine has stopped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/model_words.py"/>
        <source>the engine is starting…</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ModelsPage</name>
    <message>
        <location filename="../../app/window/models_page.py"/>
        <source>%1 are free again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models_page.py"/>
        <source>%1 is in %2 now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models_page.py"/>
        <source>%1 is in the library again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models_page.py"/>
        <source>%1 is in the library; %2 were copied</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models_page.py"/>
        <source>%1 is in the library; it took no further room</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models_page.py"/>
        <source>%1 is in the trash; emptying it frees %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models_page.py"/>
        <source>%1 is ready</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models_page.py"/>
        <source>%1 was given up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models_page.py"/>
        <source>%1 was given up, %2 are free again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models_page.py"/>
        <source>Back to the conversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models_page.py"/>
        <source>Chat with it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models_page.py"/>
        <source>Discover</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models_page.py"/>
        <source>Hub and library</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models_page.py"/>
        <source>Hub and library…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models_page.py"/>
        <source>Models</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models_page.py"/>
        <source>No downloads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models_page.py"/>
        <source>On this computer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models_page.py"/>
        <source>Restart the engine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models_page.py"/>
        <source>The download of %1 has stopped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models_page.py"/>
        <source>Undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models_page.py"/>
        <source>offline</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>NetworkDialog</name>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>A folder for models</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>Access token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>Access token of the hub</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>Add a folder of models</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>Add a folder…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>Address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>Address of the hub or a mirror of it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>Address of the proxy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>Applied</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>Apply</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>Apply the way to the hub</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>As the environment says</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>Certificates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>Certificates (*.pem *.crt *.cer)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>Choose a file with certificates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>Choose…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>Do without %1; nothing in it is deleted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>Downloads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>File with a company's certificates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>Folders of models</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>For models whose terms must be accepted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>Forget</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>Forget the token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>Hub and library</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>It can then be prepared again in another precision without fetching it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>Keep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>Keep the token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>Keep what was fetched once a model is prepared</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>New models go to %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>New models go to the first. They may be on other drives.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>None</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>None, or a .pem file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>Proxy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>Speed limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>Speed limit in MB/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>Test the connection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>Test the connection…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>The environment of this process says so (HF_HUB_OFFLINE, EMBER_OFFLINE).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>The hub</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>This one:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>Trying…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>With a user and a password if need be; they are kept in Ember's settings file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>Work offline: no connection is made</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>new models</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>no limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/network_dialog.py"/>
        <source>not connected</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>NeuronsPage</name>
    <message>
        <location filename="../../app/window/neurons/neurons_page.py"/>
        <source>%1 files of mine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/neurons_page.py"/>
        <source>%1 is loaded again afterwards.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/neurons_page.py"/>
        <source>1 file of mine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/neurons_page.py"/>
        <source>Back to the conversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/neurons_page.py"/>
        <source>Chatting pauses until this is done or paused.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/neurons_page.py"/>
        <source>English prose, Chinese, code and dialogue, which come with Ember</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/neurons_page.py"/>
        <source>Model to study</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/neurons_page.py"/>
        <source>Neurons</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/neurons_page.py"/>
        <source>Not for this model: none of its neurons is ever exactly silent (%1). Its census says how few carry the activity, and what silencing small activations would cost.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/neurons_page.py"/>
        <source>Reading what is known of %1…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/neurons_page.py"/>
        <source>Studies read:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/neurons_page.py"/>
        <source>Text that studies read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/neurons_page.py"/>
        <source>The study is done: %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/neurons_page.py"/>
        <source>There is no model in the library. Import one on the models page.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/neurons_page.py"/>
        <source>Try again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/neurons_page.py"/>
        <source>Waits until the answer that is being written is finished.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/neurons_page.py"/>
        <source>Waits until the model is loaded.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/neurons_page.py"/>
        <source>Waits until the speed measurement is done.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/neurons_page.py"/>
        <source>Which neurons of a model are at work, and how many can be left out. A study takes minutes or more and may be paused at any time. Chatting pauses meanwhile: messages wait and are answered afterwards.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/neurons_page.py"/>
        <source>my own text files…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/neurons_page.py"/>
        <source>other files of mine…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/neurons_page.py"/>
        <source>the bundled text</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>NoticeCard</name>
    <message>
        <location filename="../../app/window/device/figures.py"/>
        <source>Understood</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Notices</name>
    <message>
        <location filename="../../app/window/notices.py"/>
        <source>%1 is in the library</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/notices.py"/>
        <source>A study of %1 is done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/notices.py"/>
        <source>Load</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/notices.py"/>
        <source>Settings could not be saved: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/notices.py"/>
        <source>Show</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/notices.py"/>
        <source>The speed of %1 has been measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/notices.py"/>
        <source>The two answers are there to compare</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Opening</name>
    <message>
        <location filename="../../app/window/chats/opening.py"/>
        <source>Continue without saving</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/chats/opening.py"/>
        <source>Keep it aside, start with an empty file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/chats/opening.py"/>
        <source>Quit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/chats/opening.py"/>
        <source>The conversations of the earlier version are not here yet. %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/chats/opening.py"/>
        <source>Try again</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PlainView</name>
    <message>
        <location filename="../../app/window/transcript/plain_view.py"/>
        <source>The rest of this text is very long and is shown without formatting.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/transcript/plain_view.py"/>
        <source>This table is very large and is shown without its layout.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/transcript/plain_view.py"/>
        <source>Unformatted text</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PresetRow</name>
    <message>
        <location filename="../../app/window/preset_row.py"/>
        <source>%1 (changed)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/preset_row.py"/>
        <source>Back to the preset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/preset_row.py"/>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/preset_row.py"/>
        <source>Delete</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/preset_row.py"/>
        <source>Export the preset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/preset_row.py"/>
        <source>Export to a file…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/preset_row.py"/>
        <source>Import a preset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/preset_row.py"/>
        <source>Import from a file…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/preset_row.py"/>
        <source>Keep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/preset_row.py"/>
        <source>Keep as a new preset…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/preset_row.py"/>
        <source>Keep as a preset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/preset_row.py"/>
        <source>Keep the changes in “%1”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/preset_row.py"/>
        <source>Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/preset_row.py"/>
        <source>No preset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/preset_row.py"/>
        <source>Preset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/preset_row.py"/>
        <source>Presets (*.toml)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/preset_row.py"/>
        <source>Presets: keep, rename, delete, hand on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/preset_row.py"/>
        <source>Rename the preset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/preset_row.py"/>
        <source>Rename…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/preset_row.py"/>
        <source>Some values are no longer the preset’s; the arrows beside them go back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/preset_row.py"/>
        <source>These values belong to no preset.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Presets</name>
    <message>
        <location filename="../../app/window/preset_words.py"/>
        <source>A preset needs a name of 1 to %1 characters.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/preset_words.py"/>
        <source>Balanced</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/preset_words.py"/>
        <source>Check the file and its folder, and try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/preset_words.py"/>
        <source>Code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/preset_words.py"/>
        <source>Creative</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/preset_words.py"/>
        <source>Delete one first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/preset_words.py"/>
        <source>For everyday questions.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/preset_words.py"/>
        <source>Give it another name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/preset_words.py"/>
        <source>Keeps to the likeliest words: facts, summaries, translations.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/preset_words.py"/>
        <source>Nearly the likeliest words, and repeating them costs nothing: programs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/preset_words.py"/>
        <source>One of your own.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/preset_words.py"/>
        <source>Precise</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/preset_words.py"/>
        <source>Presets cannot be kept: %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/preset_words.py"/>
        <source>Takes less likely words too: stories, ideas, names.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/preset_words.py"/>
        <source>The file of presets “%1” cannot be used: %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/preset_words.py"/>
        <source>There are %1 presets, as many as Ember keeps.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/preset_words.py"/>
        <source>There is a preset called “%1” already.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ProgressLine</name>
    <message>
        <location filename="../../app/window/model_card.py"/>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PromptDialog</name>
    <message>
        <location filename="../../app/window/composer_new/prompt_dialog.py"/>
        <source>%1 (comes with Ember)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/composer_new/prompt_dialog.py"/>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/composer_new/prompt_dialog.py"/>
        <source>Copy it to my prompts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/composer_new/prompt_dialog.py"/>
        <source>Delete</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/composer_new/prompt_dialog.py"/>
        <source>Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/composer_new/prompt_dialog.py"/>
        <source>Name of the prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/composer_new/prompt_dialog.py"/>
        <source>New prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/composer_new/prompt_dialog.py"/>
        <source>Places to fill: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/composer_new/prompt_dialog.py"/>
        <source>Prompts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/composer_new/prompt_dialog.py"/>
        <source>Text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/composer_new/prompt_dialog.py"/>
        <source>Text of the prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/composer_new/prompt_dialog.py"/>
        <source>The prompts could not be written down: %1. They are kept until Ember ends.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/composer_new/prompt_dialog.py"/>
        <source>Unnamed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/composer_new/prompt_dialog.py"/>
        <source>Use it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/composer_new/prompt_dialog.py"/>
        <source>Write {{text}} for what stands in the field, {{clipboard}} for what was copied, or any {{word}}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/composer_new/prompt_dialog.py"/>
        <source>Your prompts could not be read (%1), and the file is left as it is.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/composer_new/prompt_dialog.py"/>
        <source>Your prompts could not be read (%1). The file is kept as %2.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PromptMenu</name>
    <message>
        <location filename="../../app/window/composer_new/prompt_menu.py"/>
        <source>Edit prompts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/composer_new/prompt_menu.py"/>
        <source>Edit prompts…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/composer_new/prompt_menu.py"/>
        <source>Prompts</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ProseView</name>
    <message>
        <location filename="../../app/window/transcript/flat_text.py"/>
        <source>[picture, not loaded: %1]</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>QueueRow</name>
    <message>
        <location filename="../../app/window/composer_new/queue_rows.py"/>
        <source>Edit the waiting message: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/composer_new/queue_rows.py"/>
        <source>Remove it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/composer_new/queue_rows.py"/>
        <source>Remove the waiting message: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/composer_new/queue_rows.py"/>
        <source>Take it back into the field</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>QueueRows</name>
    <message>
        <location filename="../../app/window/composer_new/queue_rows.py"/>
        <source>%1 more are not shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/composer_new/queue_rows.py"/>
        <source>Not sent yet (%1): the answer before did not come to its end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/composer_new/queue_rows.py"/>
        <source>Send now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/composer_new/queue_rows.py"/>
        <source>Send the waiting messages now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/composer_new/queue_rows.py"/>
        <source>Sent once the answer is done (%1)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Reason</name>
    <message>
        <location filename="../../app/window/device/work_card.py"/>
        <source>Why is it slow?</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ReportDetails</name>
    <message>
        <location filename="../../app/window/report_card.py"/>
        <source>%1, on %2: measured once so far. A second measurement begins the line.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/report_card.py"/>
        <source>%1, on %2; one point for each measurement, whiskers from the slowest run to the fastest.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/report_card.py"/>
        <source>Copy as Markdown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/report_card.py"/>
        <source>Copy the report on %1 as Markdown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/report_card.py"/>
        <source>Decoding over time, tokens/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/report_card.py"/>
        <source>Delete</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/report_card.py"/>
        <source>Delete the report on %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/report_card.py"/>
        <source>Measured on %1 on %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/report_card.py"/>
        <source>What is shown over time</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ReportFiles</name>
    <message>
        <location filename="../../app/window/report_files.py"/>
        <source>Report deleted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/report_files.py"/>
        <source>Saved as %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/report_files.py"/>
        <source>The report could not be deleted: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/report_files.py"/>
        <source>The report could not be saved: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/report_files.py"/>
        <source>The report has been copied as Markdown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/report_files.py"/>
        <source>Undo</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ReportHeader</name>
    <message>
        <location filename="../../app/window/report_card.py"/>
        <source>%1 threads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/report_card.py"/>
        <source>%1 tokens/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/report_card.py"/>
        <source>1 thread</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/report_card.py"/>
        <source>busy machine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/report_card.py"/>
        <source>closed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/report_card.py"/>
        <source>decoding %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/report_card.py"/>
        <source>opened</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/report_card.py"/>
        <source>prompt %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/report_card.py"/>
        <source>wrong tokens</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>RestartRow</name>
    <message>
        <location filename="../../app/window/device/cards_card.py"/>
        <source>Restart the engine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/cards_card.py"/>
        <source>Your choice takes effect once the engine is started again. It is busy just now.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/cards_card.py"/>
        <source>Your choice takes effect once the engine is started again; the model is then loaded anew.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SegmentsView</name>
    <message>
        <location filename="../../app/window/transcript/segments.py"/>
        <source>Answer</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SettingRow</name>
    <message>
        <location filename="../../app/window/settings/rows.py"/>
        <source>Back to the usual: %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Settings</name>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>A model that has not answered for so long is unloaded; the next message loads it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>A sheet of every action and its keys.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>A text file with everything on this page.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Accent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Advanced</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>After %1 minutes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>All shortcuts at a glance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Answer settings…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Appearance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>As the system says</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Ask again…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Base models go on with your text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Card and its memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Dark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Device page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Every action gets the keys again that it had at first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Everything on this page becomes as it was at first; models and conversations stay.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Figures below each answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>First questions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>General</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Give memory back when idle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>How answers are made</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Hub and library…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Hub, mirror, proxy and folders</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Icon in the tray</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>It brings the window to the front, begins a chat or quits; not every desktop has a tray.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>It can then be prepared again in another precision without fetching it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Keep what was fetched once a model is prepared</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Language</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Learn from my chats which neurons fire</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Light</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Light, dark, or what the desktop is set to.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Load the last model at the start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Logs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Logs page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Model and answers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Models and network</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Never</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>No connection is made, whatever is asked for.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Of all downloads together.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>On this computer, in one file. Ember sends nothing anywhere, and there is no telemetry.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Only counts are kept, on this computer; with them Ember chooses what is kept close at hand.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Open the folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Otherwise it is loaded by the first message.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Privacy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Reset all keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Reset all settings…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Settings file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Shortcuts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Show the sheet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Size of everything</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Speed limit of downloads, in MB/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>System prompt, presets, temperature, stop texts and the rest, beside the conversation.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Tell when a long answer has ended</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Text, buttons and spaces; Ctrl and + or − do the same.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>The colour of buttons, links and marks.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>The desktop says so while you are in another window.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>The hub’s address, a proxy, certificates, the access token, and the folders models are kept in.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>The language of the window.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>The questions of the first start: language, theme, folder, speed of this computer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Theme</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>They were not trained to converse. Otherwise they are given questions to answer all the same.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Tokens, speed and the time to the first token, as measured.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Usual keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Usual settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>What window and engine wrote down, and a report on this computer to copy. Never what you wrote.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Where your conversations are</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Which graphics card computes with, how much of its memory Ember takes, how fast this computer is.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>Work offline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/sections.py"/>
        <source>no limit</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SettingsPage</name>
    <message>
        <location filename="../../app/window/settings/settings_page.py"/>
        <source>Back to the conversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/settings_page.py"/>
        <source>No setting is called “%1”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/settings_page.py"/>
        <source>Search the settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/settings_page.py"/>
        <source>Settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/settings_page.py"/>
        <source>To the section %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ShortcutRow</name>
    <message>
        <location filename="../../app/window/settings/shortcut_rows.py"/>
        <source>Keys of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/shortcut_rows.py"/>
        <source>Leave it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/shortcut_rows.py"/>
        <source>Leave the keys where they are</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/shortcut_rows.py"/>
        <source>No keys for %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/shortcut_rows.py"/>
        <source>Shortcuts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/shortcut_rows.py"/>
        <source>These keys belong to “%1”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/shortcut_rows.py"/>
        <source>These keys type; add Ctrl or Alt, or use a function key.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/shortcut_rows.py"/>
        <source>Use the keys for %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/settings/shortcut_rows.py"/>
        <source>Use them here</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ShortcutSheet</name>
    <message>
        <location filename="../../app/window/shortcut_sheet.py"/>
        <source>Answers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/shortcut_sheet.py"/>
        <source>Change…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/shortcut_sheet.py"/>
        <source>Close what is open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/shortcut_sheet.py"/>
        <source>Conversations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/shortcut_sheet.py"/>
        <source>Ember</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/shortcut_sheet.py"/>
        <source>Next control</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/shortcut_sheet.py"/>
        <source>Pages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/shortcut_sheet.py"/>
        <source>Shortcuts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/shortcut_sheet.py"/>
        <source>Stop the answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/shortcut_sheet.py"/>
        <source>View</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/shortcut_sheet.py"/>
        <source>While writing</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Sidebar</name>
    <message>
        <location filename="../../app/window/sidebar.py"/>
        <source>Device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/sidebar.py"/>
        <source>How fast models run here (Ctrl+Shift+M)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/sidebar.py"/>
        <source>Neurons</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/sidebar.py"/>
        <source>New chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/sidebar.py"/>
        <source>New chat (Ctrl+N)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/sidebar.py"/>
        <source>Speed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/sidebar.py"/>
        <source>What computes your answers, and how much of the card it takes (Ctrl+Shift+D)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/sidebar.py"/>
        <source>Which neurons of a model are at work (Ctrl+Shift+N)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/sidebar.py"/>
        <source>Your conversations will appear here.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SkippedNote</name>
    <message>
        <location filename="../../app/window/speed_page.py"/>
        <source>%1 more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/speed_page.py"/>
        <source>Not shown, and left as they are: %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/speed_page.py"/>
        <source>cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/speed_page.py"/>
        <source>no report, or a damaged one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/speed_page.py"/>
        <source>written by a later Ember</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SpeedControl</name>
    <message>
        <location filename="../../app/window/speed_control.py"/>
        <source>It is shown until you close Ember; copy it as Markdown if you need it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/speed_control.py"/>
        <source>The report is not kept: “%1” cannot be written to (%2).</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SpeedPage</name>
    <message>
        <location filename="../../app/window/speed_page.py"/>
        <source>%1 is loaded again afterwards.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/speed_page.py"/>
        <source>A quick measurement of one model. Chatting pauses meanwhile: messages wait and are answered afterwards. Close other programs first: they lower the figures.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/speed_page.py"/>
        <source>Back to the conversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/speed_page.py"/>
        <source>Chatting pauses until this is done.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/speed_page.py"/>
        <source>Check that it is a folder and that you may read it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/speed_page.py"/>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/speed_page.py"/>
        <source>Measure now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/speed_page.py"/>
        <source>Measure the speed of %1 now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/speed_page.py"/>
        <source>Model to measure</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/speed_page.py"/>
        <source>Open the folder of the reports</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/speed_page.py"/>
        <source>Speed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/speed_page.py"/>
        <source>The folder with the reports cannot be read: %1 (%2).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/speed_page.py"/>
        <source>The measurement is done.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/speed_page.py"/>
        <source>Waits until the answer that is being written is finished.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/speed_page.py"/>
        <source>Waits until the model is loaded.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Start</name>
    <message>
        <location filename="../../app/window/start.py"/>
        <source>Ember is already open.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>StepRow</name>
    <message>
        <location filename="../../app/window/models/connection_dialog.py"/>
        <source>trying…</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>StudyCard</name>
    <message>
        <location filename="../../app/window/neurons/study_card.py"/>
        <source>%1 tokens of text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_card.py"/>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_card.py"/>
        <source>Continue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_card.py"/>
        <source>Continue: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_card.py"/>
        <source>Hide the figures</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_card.py"/>
        <source>How few neurons and attention heads would suffice for the same predictions, if it were known beforehand which: what no predictor can better. Some minutes for a small model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_card.py"/>
        <source>How much can be left out at a loss that is measured and stated, and what it brings in speed. What holds what it promises can be chosen for answers afterwards. Up to half an hour for a small model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_card.py"/>
        <source>Pause</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_card.py"/>
        <source>Paused at %1 %; it can go on from there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_card.py"/>
        <source>Pausing; what has been found so far is kept…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_card.py"/>
        <source>Run again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_card.py"/>
        <source>Show the figures</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_card.py"/>
        <source>Show the figures: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_card.py"/>
        <source>Start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_card.py"/>
        <source>Start anew</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_card.py"/>
        <source>Start: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_card.py"/>
        <source>The model was packed anew since this was studied: the figures are of other weights. Run it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_card.py"/>
        <source>Try again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_card.py"/>
        <source>What the neurons do while the model reads ordinary text: how many are silent for a token, how few carry the activity, and how much of that changes with the next token. A few minutes for a small model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_card.py"/>
        <source>Whether the active neurons of a layer can be named before they are computed, and the bytes that saves. Predictors are trained for it here: up to half an hour for a small model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_card.py"/>
        <source>Which neurons matter for prose, Chinese, code and dialogue, and how many of them are the same. A few minutes for a small model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_card.py"/>
        <source>took %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>StudyCharts</name>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>%1 activates most neurons (%2), %3 fewest (%4).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>%1 activates most neurons (%2).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>%1 and %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>%1 is %2 × as fast as exact.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>%1 looks at</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>%1 of a token's active neurons were active for the token before; by chance it would be about %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>%1 of the %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/predictor_charts.py"/>
        <source>%1 of the neurons are active. The nearer to the upper left a predictor comes, the better it is.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>%1 of the neurons are silent for a token, from %2 in layer %3 to %4 in layer %5.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>%1 of the neurons suffice within the limit of %2, %3 within that of %4.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>%1 of the neurons suffice within the limit of %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>%1 of the neurons were never active in this text, %2 at every token.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>%1 tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/axes.py"/>
        <source>%1 tokens/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>%1 uses a predictor in %2 and a cut in %3 of %4 layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>%1, worst 1 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>, cut at %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>1 to 99 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>1 token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>25 to 75 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>5 to 95 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>A token needs %1 of the neurons, %2 together %3: the more are read at once, the less is left out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>Active neurons by kind of text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>Attention heads cannot be left out within these limits.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>Bytes read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/predictor_charts.py"/>
        <source>Bytes the best predictor saves at a recall of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>Ember does not do this yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>Exact is %1 × as fast as computing every neuron.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>Exact reads %1 of what every neuron would take, without any loss.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/predictor_charts.py"/>
        <source>Fewest are named by %1: %2, where %3 are active.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>From token to token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>Half of the activations are below %1, on the average of the layers; the largest anywhere is %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>Half of the activity comes from %1 of the neurons, 90 % of it from %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>Hot neurons in common</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>How few carry the activity</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>How large activations are</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>If small activations were silenced</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>In %3 of %4 layers half of the activations or more are zero; the largest anywhere is %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>In every layer half of the activations or more are zero; the largest anywhere is %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>KL divergence, nats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>Loss if only what mattered most is kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>Neurons looked at, by layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/predictor_charts.py"/>
        <source>Neurons named for a recall of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>Neurons that carry 80 % of the activity</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>Never and always</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/predictor_charts.py"/>
        <source>No predictor that was tried reaches this recall.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>Nothing is ever exactly zero in this model. Counted as silent are the neurons that are not among the largest which together carry 95 % of a token's activity: %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>Of the attention heads it takes %1 (%2) or %3 (%4).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>Of the attention heads it takes %1 (%2).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/predictor_charts.py"/>
        <source>One that runs before attention names %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/predictor_charts.py"/>
        <source>Recall against what is named</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>Several tokens together</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>Silent neurons</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>Speed of decoding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>The most active %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>These neurons are hot: %1 of all, on the average.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>Tokens whose likeliest next token changes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>With %1 of the %2, %3 of the tokens would be followed by another one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>With an error of at most %2 in each layer, the smallest %1 of the neurons could be silenced.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>Within the limits of the tiers none of the shares that were tried suffices, short of all neurons.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/predictor_charts.py"/>
        <source>a token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/predictor_charts.py"/>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>active</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>active at every token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>active before as well</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/predictor_charts.py"/>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>active: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>attention heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>by layer: %1 to %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>consecutive tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/predictor_charts.py"/>
        <source>costs more than it saves</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>each layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>every neuron</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>exact zeros</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>for a token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>hot neurons in common: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>if left to chance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/axes.py"/>
        <source>kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>largest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/axes.py"/>
        <source>layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/axes.py"/>
        <source>layer %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>layers: %1 to %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>lowest to highest layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>mean</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>mean KL: %1
worst 1 %: %2
other likeliest token: %3
perplexity: %4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>mean: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>median</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>most active neurons</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/predictor_charts.py"/>
        <source>named, of the neurons</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/predictor_charts.py"/>
        <source>named: %1
recall: %2, weighted %3
precision: %4
saves a layer: %5</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>neurons</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>never active</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>no predictor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/predictor_charts.py"/>
        <source>no predictor reaches the recall</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>not compared</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>of a token's active neurons</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>of the activity</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <location filename="../../app/window/neurons/predictor_charts.py"/>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>of the neurons</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>of the neurons active for any</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>of the neurons, for a token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>of the tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/predictor_charts.py"/>
        <source>saves</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/predictor_charts.py"/>
        <source>saves %1 a token
named: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>silenced</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>silenced: %1
error of the output: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>silent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>size of activations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/census_charts.py"/>
        <source>squared error of a layer's output</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_charts.py"/>
        <source>tokens/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/predictor_charts.py"/>
        <source>weighted recall</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>StudyDetails</name>
    <message>
        <location filename="../../app/window/neurons/study_details.py"/>
        <source>Figures for programs (JSON)…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_details.py"/>
        <source>Layer shown in the plots</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_details.py"/>
        <source>Picture of the whole page (PNG)…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_details.py"/>
        <source>Picture of this report (PNG)…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_details.py"/>
        <source>Plots show:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_details.py"/>
        <source>Report as a web page (HTML)…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_details.py"/>
        <source>Save the report: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_details.py"/>
        <source>Save…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_details.py"/>
        <source>Show the tables</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_details.py"/>
        <source>Show the tables: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_details.py"/>
        <source>Where this is from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_details.py"/>
        <source>layer %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/neurons/study_details.py"/>
        <source>mean of all layers</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TableView</name>
    <message>
        <location filename="../../app/window/transcript/table_view.py"/>
        <source>Table</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TemplateControl</name>
    <message>
        <location filename="../../app/window/template_control.py"/>
        <source>Restart it, and open this window again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/template_control.py"/>
        <source>The engine has stopped.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TemplateDialog</name>
    <message>
        <location filename="../../app/window/template_dialog.py"/>
        <source>About 384,000 km.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/template_dialog.py"/>
        <source>And the sun?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/template_dialog.py"/>
        <source>Another template is used in place of the model’s own.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/template_dialog.py"/>
        <source>Answer briefly.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/template_dialog.py"/>
        <source>Back to the model’s own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/template_dialog.py"/>
        <source>Chat template of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/template_dialog.py"/>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/template_dialog.py"/>
        <source>How far away is the moon?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/template_dialog.py"/>
        <source>It cannot be used: %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/template_dialog.py"/>
        <source>It works.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/template_dialog.py"/>
        <source>It works: %1 tokens.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/template_dialog.py"/>
        <source>Line %1: %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/template_dialog.py"/>
        <source>Reading the template…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/template_dialog.py"/>
        <source>Template</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/template_dialog.py"/>
        <source>The model came without a template: conversations are put to it as questions and answers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/template_dialog.py"/>
        <source>The model came without a template; Ember uses the form it was trained with (%1).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/template_dialog.py"/>
        <source>The model’s own template is used from the next message on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/template_dialog.py"/>
        <source>There is nothing in it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/template_dialog.py"/>
        <source>This template came with the model. Another one can be used in its place.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/template_dialog.py"/>
        <source>This template is used from the next message on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/template_dialog.py"/>
        <source>Use this template</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/template_dialog.py"/>
        <source>What is written by the template itself is coloured.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/template_dialog.py"/>
        <source>What the model reads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/template_dialog.py"/>
        <source>With a system prompt</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TierChip</name>
    <message>
        <location filename="../../app/window/top_bar.py"/>
        <source>Answers are computed: %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Toast</name>
    <message>
        <location filename="../../app/window/toast.py"/>
        <source>Action</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TopBar</name>
    <message>
        <location filename="../../app/window/top_bar.py"/>
        <source>Answer settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/top_bar.py"/>
        <source>Menu</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/top_bar.py"/>
        <source>New chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/top_bar.py"/>
        <source>Show or hide the list of conversations</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TranscriptSelection</name>
    <message>
        <location filename="../../app/window/transcript/selection.py"/>
        <source>Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/transcript/selection.py"/>
        <source>Copy as plain text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/transcript/selection.py"/>
        <source>Copy link</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/transcript/selection.py"/>
        <source>Select the whole conversation</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TranscriptView</name>
    <message>
        <location filename="../../app/window/transcript/transcript_view.py"/>
        <source>Conversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/transcript/transcript_view.py"/>
        <source>Jump to the latest message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/transcript/transcript_view.py"/>
        <source>Messages</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TrashDialog</name>
    <message>
        <location filename="../../app/window/models/library_dialogs.py"/>
        <source>%1 are freed. This cannot be undone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_dialogs.py"/>
        <source>Delete</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_dialogs.py"/>
        <source>Delete %1 for good</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_dialogs.py"/>
        <source>Delete %1 for good?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_dialogs.py"/>
        <source>Delete…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_dialogs.py"/>
        <source>Empty the trash</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_dialogs.py"/>
        <source>Empty the trash?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_dialogs.py"/>
        <source>Empty the trash…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_dialogs.py"/>
        <source>Models stay here for 30 days. The drive has their room again once they are deleted for good.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_dialogs.py"/>
        <source>Put %1 back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_dialogs.py"/>
        <source>Put back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_dialogs.py"/>
        <source>The trash is empty.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/models/library_dialogs.py"/>
        <source>Trash</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>UserMessageView</name>
    <message>
        <location filename="../../app/window/transcript/message_view.py"/>
        <source>Answer this message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/transcript/message_view.py"/>
        <source>Your message</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>WindowActions</name>
    <message>
        <location filename="../../app/window/window_actions.py"/>
        <source>About Ember</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/window_actions.py"/>
        <source>Answer again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/window_actions.py"/>
        <source>Answer settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/window_actions.py"/>
        <source>Conversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/window_actions.py"/>
        <source>Copy last answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/window_actions.py"/>
        <source>Dark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/window_actions.py"/>
        <source>Delete conversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/window_actions.py"/>
        <source>Device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/window_actions.py"/>
        <source>Follow the system</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/window_actions.py"/>
        <source>Light</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/window_actions.py"/>
        <source>Models</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/window_actions.py"/>
        <source>Neurons</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/window_actions.py"/>
        <source>New chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/window_actions.py"/>
        <source>Quit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/window_actions.py"/>
        <source>Rename conversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/window_actions.py"/>
        <source>Show conversations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/window_actions.py"/>
        <source>Speed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/window_actions.py"/>
        <source>Stop the answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/window_actions.py"/>
        <source>Theme</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>WithoutCard</name>
    <message>
        <location filename="../../app/window/device/cards_card.py"/>
        <source>A card to reckon with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/cards_card.py"/>
        <source>Main memory was measured here at %1. What stays on the processor is read no faster, with or without a card: that is the limit of what one can bring.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/cards_card.py"/>
        <source>What a card would bring</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/cards_card.py"/>
        <source>What it would be with:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/cards_card.py"/>
        <source>With a card, Ember keeps the neurons that fire most often, and attention, in the card's memory and computes the others here at the same time. A card's memory is usually read much faster than main memory. Nothing of an answer is lost, and a model need not fit the card as a whole.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/cards_card.py"/>
        <source>Working it out; where this computer was not measured yet, that comes first…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/cards_card.py"/>
        <source>choose a card</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Wording</name>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>%1 % of neurons active</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>%1 parameters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>%1 tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>%1 tokens/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>%1: %2 of %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>%1: less is read; the next word's probabilities move by %2 nats on the average, at most</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>1 token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>Answer: %1 tokens in %2 s after the first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>Answering twice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>Checking the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>Choosing for every layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>Comparing tokens with the reference</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>Exact: nothing is lost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>First token %1 s after sending</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>Making random weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>Measuring decoding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>Measuring how fast memory is read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>Measuring on text that was held out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>Measuring the reading of prompts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>Measuring this computer (once)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>Neurons: %1 % looked at past their first product, %2 % active; by layer %3 to %4 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>Preparing the compute kernels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>Preparing the model (once)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>Prompt: %1 tokens, %2 of them still in memory from before; the rest read in %3 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>Reading the conversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>Reading the model into memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>Reading what its weights are</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>Taking turns with other engines</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>Tier: %1; %2 tokens were also computed exactly, and the next word's probabilities were %3 nats apart</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>Tier: %1; the answer is too short for one of its tokens to have been checked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>Training predictors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>Waiting for its turn…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>Watching neurons while text is read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>billion parameters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>ended at the length limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>ended because the context is full</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>first token after %1 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>interrupted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>licence not stated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>million parameters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>not prepared yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>prompt %1 tokens/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>stopped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>tier %1, mean KL %2 at %3 tokens checked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>tier %1, mean KL %2 at 1 token checked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/wording.py"/>
        <source>tier %1, too short to be checked</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Words</name>
    <message>
        <location filename="../../app/device_words.py"/>
        <source> (on it: {names})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source> on the card</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/settings_file.py"/>
        <source>(several values)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <location filename="../../app/neuron_charts.py"/>
        <location filename="../../app/neuron_text.py"/>
        <location filename="../../app/neuron_words.py"/>
        <source>, </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>1 file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>1 model in the trash, {size}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>1 other ({size}) is left where it is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/machine_card.py"/>
        <source>1 thread</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>99 of 100 tokens are below</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>; </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>A census says how few neurons carry the activity, and what silencing small activations would cost: ember profile {model} --census</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>A connection is made</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>A file can be read from the middle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>A firewall may be in the way, or nobody may listen there. Where this network demands a proxy, set it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>A larger budget takes work from it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>A layer reads {size} without a predictor. Below zero a predictor costs more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>A neuron is active where its product is not zero; leaving the others out changes nothing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>A predictor pays where the rows it saves are more bytes than it reads itself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>A quota of your user may be used up. Free some space, or choose a folder on another drive.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>A text is too long for the file with your conversations: {path} ({reason}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>A token for {endpoint} is in a file that only you can read; no keyring kept it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>A token for {endpoint} is in this system's keyring.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>Activation profile</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>Active</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>Active by use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>Activity</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Add one that was measured on other text.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Add profiles of the same model in the same format only.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>All of it would take {needed} on the card, and {available} are free there. The processor does the rest.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Allow writing to this file and its folder, and try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>Another program needs the card's memory.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>Another program needs the card: Ember gave back {given}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>Another program took {taken}: Ember gave back {given}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>Asking the hub what to fetch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>Attention heads kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>Benchmark: {subject}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>Best predictor of every layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>By use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>Bytes read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>Bytes read for a token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>Bytes saved at {recall} recall</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>Cannot be judged before it is here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>Census</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Check that its drive is connected and that you may read and write there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Check that the card is seated and switched on, and in a container that the card is passed through to it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Check that the file is still there, that its drive is connected, and that you may read it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Check the address of the hub or mirror, and whether a proxy asks you to sign in. Then try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Check the name. For a private repository, enter a token that may read it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Check the network and the proxy; if this hub is blocked where you are, set a mirror. Downloads go on trying.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Check the permissions of this folder, or set EMBER_HOME to a folder of yours and start Ember again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Check the token: it may have expired, or may not be allowed to read this repository.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>Checking what arrived</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <location filename="../../app/neuron_words.py"/>
        <source>Chinese</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>Choices of {tier}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Choose a card on the Device page, or in a terminal with --card auto, and load the model again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Choose a folder of your own for models, for example in your home folder or on another drive.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Choose a model from the list; it may have been removed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Choose a smaller budget, or close programs that use the card.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Choose another model, or wait until its download and preparation have ended, and try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Choose another model. No weights of it were fetched.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Choose another model. The file itself is intact and was not changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Choose another one. Ember imports GGUF files, and folders with config.json and safetensors or torch weights.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Choose one of these: {reason}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>Choose {offered}. Tiers are called {known}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Close other programs or choose a smaller model, and give the command again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Close other programs or choose a smaller model, then restart the engine. Your conversation is safe.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Close other programs, or choose a smaller model or a shorter context.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>Close other programs, or choose a smaller model or a smaller weight format.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Close programs that use it, or restart the computer. “ember doctor” in a terminal says more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>Close programs that use the card, or stay with a smaller budget.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Close the other program, for example a second Ember or a backup, and try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Connect the drive; its models and downloads come back by themselves. If the folder is gone for good, take it out of the library’s folders.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Correct this setting and try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>Coverage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>CuPy is installed without the compiler or the headers that Ember's kernels need{detail}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>Decoding, one token at a time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>Demonstration: the processor plays the card. Not a card's speed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Do not use this repository; a name like this can be an attempt to write outside the library.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>Does not fit this computer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>Downloading</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Downloads go on by themselves then. Try anything else again when that time is over.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Downloads go on by themselves. Try anything else again in a minute.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>Ember can use this card.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>Ember cannot run this model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Ember cannot run “{path}”: {what} is {found}. Supported: {supported}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Ember computes on the processor. “ember doctor” in a terminal says more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>Ember goes on with the processor alone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>Ember goes on with {left} of the card.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Ember has closed this connection. Downloads go on trying by themselves.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Ember has no published figures of a card called “{value}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Ember has not touched it. It can be kept under another name while you start with an empty file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Ember is set to stay offline and did not connect to {host}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/settings_file.py"/>
        <source>Ember stays offline, since that may have been chosen; the settings can change it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>Ember took less of the card by itself ({reason}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>Ember uses the processor.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>Ember {size}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Ember's support for graphics cards (CuPy) is not installed{detail}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>English</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>Enter a token…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>Every neuron</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>Every predictor at every threshold</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>Everything it needs is free now.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>Everything on the card</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>Everything on the processor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>First products</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>Fits this computer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>Fits, with a part of it on the card</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>For {share} of the time neither side computed: launching work and carrying results across took it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>For {share} of the time the card waited for the processor, which did {work} of the neurons' work.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>For {share} of the time the processor waited for the card, which did {work} of the neurons' work.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>ForeignFile</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>Found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Free at least {missing_bytes} and try again. Nothing was left half written.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Free at least {missing_bytes} there, then continue.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Free some space there, then continue.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Free some space. What is on the screen is written as soon as there is room.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>French</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>From token to token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>From token {number} on this answer was computed exactly: the tier {tier} had drifted from what was promised for it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>German</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Give the command again. If it happens every time, please report it together with the engine’s log.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Go on there, or close it and try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>Go online</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>Growth of the union</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <location filename="../../app/neuron_text.py"/>
        <source>Heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>Hot neurons by use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>Hot neurons in common (Jaccard index)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>Hot neurons of a text are the fewest that carry 80 % of its activity: how often a neuron was active, times how much it then added.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>Hot neurons that two kinds share, of those hot for either (Jaccard index).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>Hot neurons that two uses have in common</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>Hub and library…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>HubBusy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>If this computer has an NVIDIA card, install NVIDIA's driver and restart. Other makes of card are not used.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>In another Ember (process {holder})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <location filename="../../app/neuron_text.py"/>
        <source>In common</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>In common, by layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>In turns with other engines</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>In use by: {users}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>In {count} of {layers} layers a predictor saves bytes at a recall of {recall}: together {size} a token, {share} of the first products.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Install both beside Ember: pip install 'emberchat[cuda13]', or emberchat[cuda12] with an older driver.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Install it beside Ember, for example with: pip install 'emberchat[{extra}]'. The rest works without it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Install one of them (on Debian and Ubuntu: apt install g++). Everything else works without it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>InvalidRequest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>It computes with {now} of {cores} cores; {best} threads read memory {times} times as fast here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>It knows those of these cards: {reason}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>It shows how Ember would share work with a card.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>It was probably cut short or altered while it was copied or downloaded. Fetch it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>Its neurons can be silent; how many are is not published.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>Its publisher asks everybody to accept terms first and looks at each request; that can take days.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>Its publisher asks everybody to accept terms first; access follows at once.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>Its weights are in a form whose contents can only be read once they are here. The sizes are right.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>KL against {what} kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>KL, nats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <location filename="../../app/error_text.py"/>
        <source>KV cache</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>Layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <location filename="../../app/neuron_tables.py"/>
        <source>Layers of {tier}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>LicenceNotAccepted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Load a model first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Load the model again. If it still takes no part, “ember doctor” in a terminal says more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Load the model again. If the card still takes no part, “ember doctor” in a terminal says more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Look at the list: it may have been restored or deleted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Look at the list: it may have ended, or been given up.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>Loss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>MB a token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <location filename="../../app/neuron_tables.py"/>
        <source>MB/token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>Machine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/machine_card.py"/>
        <source>Main memory by threads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>Mean KL in nats, and the limit that the tier promises to keep.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>Mean of the layers at each threshold. Further left is better: fewer neurons to look at.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Measure one on this computer: ember profile MODEL.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Measure one: ember profile MODEL.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>Measure what this model can leave out, and offer it: ember calibrate {model}. Where that was done, ember neurons {model} tiers says why a tier is not offered.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <location filename="../../app/neuron_text.py"/>
        <source>Measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/machine_card.py"/>
        <source>Measured %1, in %2 s.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>Median of rounds in turns.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <location filename="../../app/neuron_text.py"/>
        <source>Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>More of the card's memory is not to be had.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Move it elsewhere, or choose another folder. Ember leaves the file as it is.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Move or rename it, and try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>Named at {recall} recall</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>NetworkSwitchedOff</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <location filename="../../app/neuron_tables.py"/>
        <location filename="../../app/neuron_text.py"/>
        <source>Neurons</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>Neurons by use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>Neurons kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>Neurons of this model ({kind}) are never silent: none can be skipped.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>Neurons that suffice: {found}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>Never, always</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>Next token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>No NVIDIA driver was found{detail}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>No card of this computer that can be used is meant by “{value}”, or more than one is.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>No connection; trying again in {time}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>No graphics card is used: that is what is set.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>No model is loaded.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>No neuron of this model can be silent: all are read for every token.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>No neuron of {model} is ever exactly silent ({kind}), so there is nothing to leave out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>No neuron of {model} is ever exactly silent ({kind}), so there is nothing to predict.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>No neuron of {model} is ever exactly silent ({kind}), so this study has no subject.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>No predictor saves bytes in any of the {layers} layers at a recall of {recall}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>No program is known to use it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>No share of the neurons tried suffices.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>No speed can be predicted yet: measure this computer on the Device page.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>No speed is predicted for a model that is read from the drive.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>No tier is offered: answers are exact.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>No token is kept. Most models need none.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>Nobody waited for long: card and processor worked at the same time for {share} of the time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Not enough memory for {what}: {needed_bytes} needed, {available_bytes} free.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Not enough memory on the card for {what}: {needed_bytes} needed, {available_bytes} free.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>Nothing arrives; trying again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/machine_card.py"/>
        <source>Nothing has been measured yet. It takes at most half a minute.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>Nothing is ever exactly zero in this model. A neuron is called active where it is among the largest products of its token that together carry 95 % of their squares.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>Nothing is known of this model's neurons yet; this reckons as if every one fired for every token.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>Nothing is on the card: for this model, nothing that fits in {budget} would be faster there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>Nothing is on the card: for this model, nothing there would be faster.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>Nothing is on the card: the budget is 0.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>Nothing is on the card: there was no room for anything.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>Nothing of the answer is lost. Restart the engine once the card is back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/chat/exchange_words.py"/>
        <source>Nothing was imported. Export it again, or choose an export of Ember, ChatGPT, Open WebUI or Jan.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>Of all neurons, those active and those looked at; of the active ones, those found (recall).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>Offered</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>Offered: {tiers}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>Once it has ended, apply your budget again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>Open the page with the terms…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Open {link}, sign in, accept the terms, and enter a token of that account (in a terminal: ember token). Then continue the download.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>Packing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>Paused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>Paused by Ember</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>Please report it with the name of the card and the version of its driver.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>Predicted for exact answers from this model's activation profile and {speeds}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>Predicted for exact answers from this model's census and {speeds}. An activation profile (Neurons page) makes it sharper.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>Predicted for exact answers from {speeds}, as if every neuron fired for every token: nothing is known of this model yet. An activation profile (Neurons page) makes it sharper.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>Predicted from the speeds measured on this computer and the published share of silent neurons.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>Predicted from the speeds measured on this computer. How many neurons stay silent is not published: the slow end is none of them, the fast end all.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>Predicted from the speeds measured on this computer. No neuron of this model can be skipped.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>Predicted from {speeds}. No neuron of this model can be silent: all are read for every token.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>Predicted with {budget} of it: {then} and {share} of the neurons' work on the card; with the processor alone: {now}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>Predictors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>Predictors at a weighted recall of {recall}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>Preparing for use (once)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>Published counts were read as the importance of neurons. They order neurons, and say nothing of how often one is active; no figure above is made from them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>Quantiles of |activation|; those that are zero are not drawn.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>Read for a token, as counted while text was decoded.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>Reading a prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>Reading memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>Ready</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>Recall</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>Recall is weighted by what an active neuron contributes; a predictor is judged at the threshold where it finds {share} of it, on text it was not made from.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Remove the model from the library and import it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Restart it. Your conversation is safe. If it happens again, please report it together with the details below.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>Runs from disk, slowly</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>SIGABRT</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>SIGBUS</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>SIGFPE</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>SIGILL</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>SIGSEGV</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>SIGSYS</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>SIGTRAP</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Save it again with the version used here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <location filename="../../app/neuron_text.py"/>
        <source>Shape</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>Share of the neurons that are active for a token, by kind of text.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>Share of the neurons that carry 80 % of the activity.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>Share of the tokens whose likeliest next token is another than in the dense run.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Shorten it, or send it in parts.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>Silence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>Silencing small activations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>Size of activations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>Size of activations, by quantile</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/settings_file.py"/>
        <source>Some settings could not be read: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>Something other than a hub may answer, such as a page that asks to sign in to the network: open a browser to see. If a mirror is set, it may be none.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Something went wrong inside Ember ({kind}: {detail}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>Spanish</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>Speed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Start a new chat, or shorten the system prompt or the last message.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>Stopped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Switch the network on in the settings; downloads that wait for it go on then.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>System</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Take a census instead: it shows what silencing small activations would save and cost.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>Text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>The KL divergence (in nats) says how far the probabilities of the next word move. At a mean of 0.01 the words the exact model would write become, on the average, 1 % less likely; at 0.03, 3 %.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The NVIDIA driver is too old for the CuPy that is installed{detail}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The answer of {host} makes no sense: {what} is “{found}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>The card computed something else than the processor, so it is not used.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The card could not be opened{detail}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>The card had no room for this budget.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>The card had no room for {wanted} more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The card has no room for this budget: {needed_bytes} needed, {available_bytes} free for Ember.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>The card is in a state this version has no words for: {state}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The card is too old: the CUDA that is installed no longer serves its generation{detail}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>The card no longer answers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>The card read at most {rate}; alone it reads {own} here. Another program keeps it busy{who}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>The certificate may be of someone else. In a company's network, set the file with the company's own certificates. A wrong date or time on this computer does the same: check its clock.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The chat template of this model cannot be used: {reason}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>The connection is encrypted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/chat/exchange_words.py"/>
        <source>The damaged file is kept as it was: {damaged_path}. Copies that were made before updates lie beside it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The demonstration of a card takes no part in the loaded model{detail}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The drive of “{path}” is full: {available_bytes} free.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The drive of “{path}” is full: {needed_bytes} needed, {available_bytes} free.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The drive with your conversations is full: {path} ({reason}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The emulated card needs a {language} compiler, and none of these was found: {looked_for}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The engine crashed ({how}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The engine ended unexpectedly ({how}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The engine ran out of memory and ended.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The engine reported an error this version has no words for: {code} ({fields}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The engine was ended from outside ({how}). Most often the system does this when memory runs out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>The error of the output is its squared change, relative to its square, in the layer alone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/settings_file.py"/>
        <source>The file was kept as {name}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The file with your conversations cannot be used: {path} ({reason}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The file with your conversations is damaged: {path} ({reason}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The file with your conversations is in use by another program: {path} ({reason}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The file with your conversations is write-protected: {path} ({reason}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/chat/exchange_words.py"/>
        <source>The file with your conversations was damaged ({reason}), and nothing in it could be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/chat/exchange_words.py"/>
        <source>The file with your conversations was damaged ({reason}). {n_messages} messages in {n_conversations} conversations could be read and are here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The file with your conversations was written by a later Ember: {path} ({reason}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The graphics card is in a state this version has no words for: {state}{detail}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The graphics card{name} no longer answers{reason}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The graphics card{name} takes no part any more: Ember gave it up while this model was loaded.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>The hub answers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>The hub answers, but the server of its files does not. It may be blocked separately: ask for it to be allowed, or set a mirror that serves both.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The hub has no {repo} (revision {revision}), or it is private.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The hub has no “{path}” in {repo} (revision {revision}), or it is private.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The hub refused access to {repo} (status {status}): {reason}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>The hub's name is looked up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The library has no model called “{model_id}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>The library's drive has {available} free; the download and the prepared model take {needed}. Free {missing} there, or have a folder of models on another drive.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The library’s folder “{path}” is not there: its drive is not connected. Nothing was written in its place.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>The machine was busy: other programs took {before} % before and {during} % during it. The figures may be too low; try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The model library “{path}” cannot be written to: {reason}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>The model needs {needed} of main memory and there are {memory}: neurons are read from the disk, at {rate} instead of {own}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>The model ran twice on the same text: densely, noting what mattered for each token, and again with only that. A predictor has to guess what this run knew: it will hardly keep fewer at the same loss.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>The nearer to what is really active, the better. No dot: the predictor does not reach that recall there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>The network may be down, or its name server may not know the hub. Check the network and the hub's address; where the hub is blocked, set a proxy or a mirror.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The package “{package}”, which this needs, is not installed or does not load ({reason}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>The processor computed everything.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>The processor computes alone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The processor computes everything. A card of the Turing generation (2018) or later can be used.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The processor goes on without it. Load the model again once the card is back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The processor goes on without it. Load the model again to use the card again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>The processor read its neurons at {rate}; alone it reads {own} here. Other programs seem to use it or its memory.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The profile “{path}” cannot be used: {reason}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The profile “{path}” is counted already; nothing was changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The profile “{path}” is of other weights, and says nothing of these neurons.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The profile “{path}” was written by another version of Ember.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The repository names a file “{name}”, which Ember does not store: {reason}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>The same for each layer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The setting “{field}” has the value {value}, which is outside its range ({reason}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The system stores no more in “{path}”: {needed_bytes} needed, and the drive itself has {available_bytes} free.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>The tier {tier} is not offered ({reason}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>The tier {tier} is not offered: its mean KL may be as high as {kl}, and {limit} is its limit.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>The tier {tier} is not offered: nothing worth leaving out was found within its limit.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The token could not be kept: the keyring of this system does not answer, and “{path}” cannot be written ({reason}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>The token is accepted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>The token may have expired or been revoked. Enter a new one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>The trash holds nothing called “{trash_id}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>There is a card that Ember can use, but it takes no part in the loaded model{detail}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>There is an NVIDIA driver, but it shows no card{detail}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>There is no download “{download_id}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>There is no profile to save as “{path}”: none was measured of this model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>There is something at “{path}” already, and it was left alone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>This Python's SQLite has no full-text index, which conversations need: {path} ({reason}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>This conversation has {prompt_tokens} tokens, more than the {context_tokens} the model can read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>This is no file with conversations of Ember: {path} ({reason}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/settings_file.py"/>
        <source>This is not a file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>This model needs {needed} of main memory, and {free} is free: what does not fit is read from the disk as it is needed, which is much slower.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>This model’s neurons ({feed_forward}) are never exactly silent, so there is nothing to skip.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>This study of {model} ({study}) is already running, perhaps in another Ember.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>Thresholding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>Thresholds with an error of at most {error} of the output's square in each layer would silence {share} of the neurons. Ember does not do this yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>Tiers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>Tiers on text they were not chosen on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>Time of a token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>Together</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>Tokens against the reference</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>Tokens per second by budget</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>Tried</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>Try again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Try again later. If it happens every time, the file on the hub or the mirror is damaged; use another source.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Try again. If it happens every time, please report it together with the engine's log.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Try another file of this model; its publisher may have corrected the template.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>Two-pass ceiling</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Unlock the keyring or check the permissions of this folder, and enter the token again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>UnsafeName</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>UnsupportedModel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Update the driver, or install the support for older ones: pip install 'emberchat[cuda12]'.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Use a Python whose SQLite has FTS5 and its trigram tokenizer (3.34 or later).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Use the later version. This one leaves the file as it is.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>WRONG</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>WRONG: the logits are {deviation} % off, {tolerance} % allowed: {what}. Do not trust answers of this build; please report it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>WRONG: {differing} of {count} tokens differ, the first at position {first}: {what}. Do not trust answers of this build; please report it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Wait until it has ended, or close the other program.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Wait until it has ended, or pause it there or close that program and ask again: nothing that arrived is lost.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Wait until that download has ended, or close the other program.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>Waiting for its turn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>Waiting to be prepared for use (once)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>Waits until Ember is online again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>Waits until its drive is connected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>What has arrived is kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>What it reads for each token comes from main memory, at no more than {own} here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>What silencing the smallest activations would do to the layer's output (squared error, relative).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>What the model needs beside its weights, most of it for the conversation, takes {needed} of memory; {available} are free. A shorter context takes less.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>What the predictions lose when only this share of the {what} is computed, the right ones for each token.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>While a tier answers, every 64th token is also computed exactly; where it drifts, the answer goes on exactly.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>Whole layers on the card, as many as fit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>With a context of {tokens} tokens it would be in memory as a whole.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>With an NVIDIA card, install it beside Ember: pip install 'emberchat[cuda13]', or emberchat[cuda12] where the driver is older than 580. Then restart Ember.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>With this model the processor alone would be as fast: {now}, predicted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>Without a card this model needs {needed} of main memory and {free} is free: what does not fit is read from the disk, which is much slower.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>Without a card this model needs {needed} of main memory; {free} is free.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>Your chats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>Your conversations are open in another Ember: {path} ({reason}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>Zeros</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>a licence of its own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>a prompt read at once against token by token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmarks.py"/>
        <source>a speed that is no number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/settings_file.py"/>
        <source>a table of names</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/time_left.py"/>
        <source>about {count} h left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/time_left.py"/>
        <source>about {count} min left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>about {size}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>about {time} left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>access violation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <location filename="../../app/neuron_charts.py"/>
        <location filename="../../app/neuron_tables.py"/>
        <source>active</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>active at every token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>active share by layer and use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>active, {kind}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>also active for the token before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_figures.py"/>
        <source>also before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_figures.py"/>
        <source>always</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/settings_file.py"/>
        <source>an array of names</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_figures.py"/>
        <source>any of {count}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/settings_file.py"/>
        <source>array</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>asking</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>assumed, {card}: {speed}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>at most</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <location filename="../../app/device_words.py"/>
        <location filename="../../app/error_text.py"/>
        <source>attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <location filename="../../app/neuron_text.py"/>
        <source>attention heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>attention on the card in {some} of {all} layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>base</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>before attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>below</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>below, on the average</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>best predictor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>both</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>budget in GiB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>bytes saved by layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>cache</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>carried, of the neurons: {shares}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>carry 80 %, {kind}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_figures.py"/>
        <source>carry {share}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>case</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>check</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>checking</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <location filename="../../app/neuron_words.py"/>
        <source>code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>compared with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>compute capability {major}.{minor}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>computing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>consecutive tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>context and modules</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>costs a mean KL of {kl} by itself, in {format}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>coverage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>cut</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>decode at {count}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmarks.py"/>
        <source>decoding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>deleted for good in {days} days</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>deleted for good today</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>deleted for good tomorrow</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>dense</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>depth</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>dialogue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>differing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>does not fit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>down</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>downloading</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>driver and kernels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>engine started pid</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <location filename="../../app/neuron_tables.py"/>
        <source>error of the output</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <location filename="../../app/neuron_tables.py"/>
        <source>every neuron</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <location filename="../../app/neuron_words.py"/>
        <source>exact</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <location filename="../../app/neuron_figures.py"/>
        <source>exact zeros</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>fails here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>fast</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>fastest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>fine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>first FFN matrix</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>first layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>fits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>fits in part</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>flips against {what} kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>for another program</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>format</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>free</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>from disk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>from the catalogue; may have changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>from the hub, now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <location filename="../../app/error_text.py"/>
        <source>head</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>held up by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>highest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <location filename="../../app/error_text.py"/>
        <source>hot neurons</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>hot neurons in common</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>hot neurons in common by layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>hot share by layer and use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>how few neurons and heads suffice for the same predictions: the ceiling of every predictor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>how much may be left out at a stated loss, and what it brings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>illegal instruction</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>in common</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>in layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>in the worst layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>its bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>keeps this computer awake</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>kept free</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>largest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>last layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <location filename="../../app/neuron_tables.py"/>
        <source>layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>layers of {tier}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>layers that reach it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>layers that save</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <location filename="../../app/time_left.py"/>
        <source>less than a minute left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>licence not stated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>limited to {rate}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>linear</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>llama.cpp (llama-bench)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>llama.cpp (llama-cpp-python)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>llama.cpp (xllamacpp)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>load {load} at the start, other programs took {share} % of the processors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>logits apart at most</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>lowest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/machine_card.py"/>
        <source>main memory, GB/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <location filename="../../app/neuron_tables.py"/>
        <source>mean</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <location filename="../../app/neuron_tables.py"/>
        <source>mean KL</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>mean of the layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>measured, last answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>memory of the conversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>min to max</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>most active neurons</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <location filename="../../app/neuron_tables.py"/>
        <source>named</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>named by the predictor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>named share by layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <location filename="../../app/neuron_text.py"/>
        <source>neurons</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>neurons active for any</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>neurons active for any of {shares}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_figures.py"/>
        <source>never</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>never active</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>no ReLU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>no layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>no predictor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>no share of the {what} suffices</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>no tier.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <location filename="../../app/neuron_words.py"/>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>none saves</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>not judged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>not measured for {what}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>not needed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>not part of the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>not supported</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>of an unknown version</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>of every neuron</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>of memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>of the activity</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>of the limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>of the {what}, these shares suffice: {found}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>on the card, all of it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>on the card: {share} of the neurons' work</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>on the drive at most</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>only exact</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>other FFN rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <location filename="../../app/neuron_tables.py"/>
        <source>other likeliest word</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>other programs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>other threads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>ours</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>ours, tokens/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>output</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>output head</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>overlap, dead and always-on by layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>parameters, about</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>paused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>perplexity</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>precision</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>predicted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>predicted: {speed}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <location filename="../../app/neuron_tables.py"/>
        <source>predictor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <location filename="../../app/error_text.py"/>
        <source>predictors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>preparing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>program code, never run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <location filename="../../app/benchmarks.py"/>
        <source>prompt of {count}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>prose</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>quantiles of activations by layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>random weights of the shape {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>rank {rank}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>ratio</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>reads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>really active</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <location filename="../../app/neuron_tables.py"/>
        <source>recall</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>recommended</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>result</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>same</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>same layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>same layer, before its norm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <location filename="../../app/neuron_tables.py"/>
        <source>saved a token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>several threads against one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <location filename="../../app/benchmarks.py"/>
        <source>shape {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>share</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>share of tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>signs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <location filename="../../app/neuron_tables.py"/>
        <source>silenced</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>silenced share against error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <location filename="../../app/neuron_figures.py"/>
        <source>silent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>silent, all of them exact zeros</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>size not told</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>skipping silent neurons against computing all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>speed unknown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>stack overflow</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>streams a thread</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>sums</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/settings_file.py"/>
        <source>table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>task</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>the compiled step against the reference in numpy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>the measured speed of this computer's processor and {whose}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>the neurons a predictor names against the same in numpy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>the published figures of the {card}, an assumption</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>the same weights again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>the speeds measured on this computer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>their file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>theirs, tokens/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>there is only one kind of text, and nothing to compare it with.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <location filename="../../app/window/device/machine_card.py"/>
        <source>threads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>tier</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>time left not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>times</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>to download</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>to download, about</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <location filename="../../app/neuron_tables.py"/>
        <source>tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <location filename="../../app/benchmarks.py"/>
        <location filename="../../app/neuron_charts.py"/>
        <location filename="../../app/neuron_tables.py"/>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>tokens/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/settings_file.py"/>
        <source>too many values within each other</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>trying again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>union growth</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>unknown version</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>updated {day}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>variants</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <location filename="../../app/download_words.py"/>
        <source>waiting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <location filename="../../app/neuron_tables.py"/>
        <source>weighted recall</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>weighted recall against named share</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>what the neurons do: how many are silent, and how few carry the activity</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>whether active neurons can be named before they are computed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>which neurons matter for which kind of text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>with ReLU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>with a cut</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>within</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>without</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>working memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>works</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>workspace</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>your chats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>your own text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>zeros and silent neurons by layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>{active} of the neurons are active for a token; over the whole text, half of the activity comes from {half}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>{active}, 80 % of the activity from {share}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>{card} is not in this computer: its memory and rate are its maker's published figures, what is reached of them and what crossing costs are assumptions, and nothing of it was measured.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>{card}, assumed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>{count} days</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>{count} downloads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>{count} files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>{count} h</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <location filename="../../app/neuron_words.py"/>
        <source>{count} min</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>{count} models in the trash, {size}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>{count} of {all}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>{count} others ({size}) are left where they are</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>{count} predictors a layer: {names}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <location filename="../../app/neuron_words.py"/>
        <source>{count} s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/machine_card.py"/>
        <source>{count} threads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>{count} tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>{count} tokens are the same: {what}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>{count} tokens together need {share} of the neurons.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>{count} tokens were counted, on this computer only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>{count} tokens {share}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>{created}, in {seconds} s; {state}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>{created}, in {time}; Ember {version}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>{done} of {size}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>{first} and {last}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>{first} or {last}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>{host} asked to come back in {wait_s} seconds (status {status}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>{host} asked to come back later (status {status}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>{host} cannot be reached: {reason}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>{host} has sent nothing for {silent_s} seconds.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>{hours} h {minutes} min</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>{kept} for {tier}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>{kept} for {tier} (KL {limit})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>{kl} of {limit}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>{layers} layers of width {width}, {neurons} neurons each ({kind}), {format}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>{layers} layers of width {width}, {neurons} neurons each ({kind}), {millions} M parameters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>{least} to {most}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>{least} to {most} by layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>{model_id} is in use.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_words.py"/>
        <source>{model} has no tier “{tier}”: there is {there}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>{mode}, {share} % active</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/chat/exchange_words.py"/>
        <source>{n_conversations} conversations with {n_messages} messages were imported from {source}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/chat/exchange_words.py"/>
        <source>{n_left_out} pictures, files and calls of tools were left out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/chat/exchange_words.py"/>
        <source>{n_present} were there already.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>{name} was not measured: it is not installed here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>{name} was not measured: there is no GGUF file of this model to give it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>{name} was not measured: {detail}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>{needed} are needed, {available} are free.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>{needed} of memory are needed and {available} are free, so that weights are read from the drive as the answer goes on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>{never} were never active, {always} at every token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>{one} and {other} have most hot neurons in common ({share}), {third} and {fourth} fewest ({least}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>{one} and {other} have {share} of their hot neurons in common.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>{part} by {neurons}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/download_words.py"/>
        <source>{rate}/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>{repo} is already being downloaded by another Ember (process {process}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>{repo} is only given to people who have accepted its terms.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>{share} % of its neurons are silent for a token ({source}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>{share} % silent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>{share} error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>{share} of a token's active neurons were active for the token before it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>{share} of a token's active neurons were active for the token before it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>{share} of the activations are exactly zero</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>{share} of the neurons add little to a token, none is exactly zero.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>{share} of the neurons are silent for a token.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>{share} of the neurons are silent for a token; all of these are exact zeros.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>{share} of the neurons carry 80 % of the activity. Thin lines: layers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>{share} of the neurons for a token ({extremes})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>{size} a layer and token without a predictor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>{size} a token, {speed} tokens/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>{size} of it for the conversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <source>{size} once prepared</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/catalog_words.py"/>
        <location filename="../../app/device_words.py"/>
        <location filename="../../app/neuron_charts.py"/>
        <source>{speed} tokens/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>{tiers}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>{tier} ({speed}, mean KL {kl})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>{times} times exact</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>{title} that suffice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_tables.py"/>
        <source>{title}, by layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/budget_card.py"/>
        <source>{title}, by {whose}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>{title}: other words</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/device_words.py"/>
        <source>{total}, {free} free</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>{usable} of {physical} cores</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>{usable} processors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/benchmark_text.py"/>
        <source>{version}, {counts} threads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>{what} kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_charts.py"/>
        <source>|activation|</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>“At most” is the upper end of the mean's 95 % interval over windows of text; a tier is offered where this is within its limit. One token in a hundred moves further than p99.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/neuron_text.py"/>
        <source>“Carry 50 %” are the fewest neurons that carry so much of the activity, “any of 8” those active for any of 8 consecutive tokens; “also before” are those of a token's active neurons that were active for the token before.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/chat/exchange_words.py"/>
        <source>“{path}” cannot be imported: it is nested too deeply {place}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/chat/exchange_words.py"/>
        <source>“{path}” cannot be imported: the messages of {place} run in a circle ({found}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/chat/exchange_words.py"/>
        <source>“{path}” cannot be imported: {place} answers a message that is not there ({found}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/chat/exchange_words.py"/>
        <source>“{path}” cannot be imported: {place} has the value {found}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/chat/exchange_words.py"/>
        <source>“{path}” cannot be imported: {place} has too many members ({found}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/chat/exchange_words.py"/>
        <source>“{path}” cannot be imported: {place} is missing ({found}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/chat/exchange_words.py"/>
        <source>“{path}” cannot be imported: {place} is there twice ({found}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/chat/exchange_words.py"/>
        <source>“{path}” cannot be imported: {place} is too long ({found} characters).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/chat/exchange_words.py"/>
        <source>“{path}” cannot be imported: {place} is {found}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>“{path}” cannot be read: Ember looked for {expected} and found {found}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/chat/exchange_words.py"/>
        <source>“{path}” cannot be read: {found}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>“{path}” is already being downloaded, perhaps by another Ember.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>“{path}” is damaged: {what}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>“{path}” is in a cache ({found}), where systems and cleaning programs delete files unasked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/chat/exchange_words.py"/>
        <source>“{path}” is no export that Ember knows ({found}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/chat/exchange_words.py"/>
        <source>“{path}” is no text in UTF-8: {place} ({found}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/chat/exchange_words.py"/>
        <source>“{path}” is no valid JSON: {place} ({found}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>“{path}” is not what the hub announced: {what} is {found}, expected {expected}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/chat/exchange_words.py"/>
        <source>“{path}” is too large to be imported: {found}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/chat/exchange_words.py"/>
        <source>“{path}” was exported by a later version ({found}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>“{path}” was not found or cannot be read{reason}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/error_text.py"/>
        <source>“{path}” was prepared by another version of Ember (format {found}, this version reads format {expected}).</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>WorkCard</name>
    <message>
        <location filename="../../app/window/device/work_card.py"/>
        <source>%1 tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/work_card.py"/>
        <source>1 token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/work_card.py"/>
        <source>Appears with the first tokens of the answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/work_card.py"/>
        <source>Both computed at once for %1 of the time; hatched: waiting for the other.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/work_card.py"/>
        <source>Card</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/work_card.py"/>
        <source>Neurons' work</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/work_card.py"/>
        <source>Nothing has been measured yet. Ask the model something, and this shows who did the work.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/work_card.py"/>
        <source>Of the answer that is being written: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/work_card.py"/>
        <source>Of the last answer: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/work_card.py"/>
        <source>Processor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/work_card.py"/>
        <source>Who does the work</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/work_card.py"/>
        <source>card %1, processor %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/work_card.py"/>
        <source>computed %1 of the time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/work_card.py"/>
        <source>processor %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/window/device/work_card.py"/>
        <source>waited %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
