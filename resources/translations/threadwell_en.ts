<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>ArrangingPresenter</name>
    <message numerus="yes">
        <source>%n chats pinned</source>
        <translation>
            <numerusform>Chat pinned</numerusform>
            <numerusform>%n chats pinned</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chats unpinned</source>
        <translation>
            <numerusform>Chat unpinned</numerusform>
            <numerusform>%n chats unpinned</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chats archived</source>
        <translation>
            <numerusform>Chat archived</numerusform>
            <numerusform>%n chats archived</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chats brought back</source>
        <translation>
            <numerusform>Chat brought back</numerusform>
            <numerusform>%n chats brought back</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chats moved</source>
        <translation>
            <numerusform>Chat moved</numerusform>
            <numerusform>%n chats moved</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>AskModelDialog</name>
    <message numerus="yes">
        <source>%Ln tokens</source>
        <translation>
            <numerusform>%Ln token</numerusform>
            <numerusform>%Ln tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>About %Ln tokens</source>
        <translation>
            <numerusform>About %Ln token</numerusform>
            <numerusform>About %Ln tokens</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>AssistantsPresenter</name>
    <message numerus="yes">
        <source>%n assistants were deleted</source>
        <translation>
            <numerusform>%n assistant was deleted</numerusform>
            <numerusform>%n assistants were deleted</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chats go on with it as it was</source>
        <translation>
            <numerusform>%n chat goes on with it as it was</numerusform>
            <numerusform>%n chats go on with it as it was</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n assistants added</source>
        <translation>
            <numerusform>%n assistant added</numerusform>
            <numerusform>%n assistants added</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n were there already</source>
        <translation>
            <numerusform>%n was there already</numerusform>
            <numerusform>%n were there already</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>For %n there was no room</source>
        <translation>
            <numerusform>For %n there was no room</numerusform>
            <numerusform>For %n there was no room</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n could not be read</source>
        <translation>
            <numerusform>%n could not be read</numerusform>
            <numerusform>%n could not be read</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n assistants exported to %1</source>
        <translation>
            <numerusform>%n assistant exported to %1</numerusform>
            <numerusform>%n assistants exported to %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>BackupPart</name>
    <message numerus="yes">
        <source> days</source>
        <translation>
            <numerusform> day</numerusform>
            <numerusform> days</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source> weeks</source>
        <translation>
            <numerusform> week</numerusform>
            <numerusform> weeks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>BackupWording</name>
    <message numerus="yes">
        <source>%Ln chats</source>
        <translation>
            <numerusform>%Ln chat</numerusform>
            <numerusform>%Ln chats</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln messages</source>
        <translation>
            <numerusform>%Ln message</numerusform>
            <numerusform>%Ln messages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln memories</source>
        <translation>
            <numerusform>%Ln memory</numerusform>
            <numerusform>%Ln memories</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln files</source>
        <translation>
            <numerusform>%Ln file</numerusform>
            <numerusform>%Ln files</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln documents</source>
        <translation>
            <numerusform>%Ln document</numerusform>
            <numerusform>%Ln documents</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln chats were added</source>
        <translation>
            <numerusform>%Ln chat was added</numerusform>
            <numerusform>%Ln chats were added</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln chats got what was missing</source>
        <translation>
            <numerusform>%Ln chat got what was missing</numerusform>
            <numerusform>%Ln chats got what was missing</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln messages in all</source>
        <translation>
            <numerusform>%Ln message in all</numerusform>
            <numerusform>%Ln messages in all</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln memories were added</source>
        <translation>
            <numerusform>%Ln memory was added</numerusform>
            <numerusform>%Ln memories were added</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln chats were here already</source>
        <translation>
            <numerusform>%Ln chat was here already</numerusform>
            <numerusform>%Ln chats were here already</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln folders of the list were added</source>
        <translation>
            <numerusform>%Ln folder of the list was added</numerusform>
            <numerusform>%Ln folders of the list were added</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln prompts were added</source>
        <translation>
            <numerusform>%Ln prompt was added</numerusform>
            <numerusform>%Ln prompts were added</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln assistants were added</source>
        <translation>
            <numerusform>%Ln assistant was added</numerusform>
            <numerusform>%Ln assistants were added</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln files or folders were added as knowledge</source>
        <translation>
            <numerusform>%Ln file or folder was added as knowledge</numerusform>
            <numerusform>%Ln files or folders were added as knowledge</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln prompts found no room in the library</source>
        <translation>
            <numerusform>%Ln prompt found no room in the library</numerusform>
            <numerusform>%Ln prompts found no room in the library</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln chats could not be added</source>
        <translation>
            <numerusform>%Ln chat could not be added</numerusform>
            <numerusform>%Ln chats could not be added</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln memories stay forgotten</source>
        <translation>
            <numerusform>%Ln memory stays forgotten</numerusform>
            <numerusform>%Ln memories stay forgotten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln entries belong to nothing any more.</source>
        <translation>
            <numerusform>%Ln entry belongs to nothing any more.</numerusform>
            <numerusform>%Ln entries belong to nothing any more.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln attached files are missing. A backup may still have them.</source>
        <translation>
            <numerusform>%Ln attached file is missing. A backup may still have it.</numerusform>
            <numerusform>%Ln attached files are missing. A backup may still have them.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>BranchMapDialog</name>
    <message numerus="yes">
        <source>%n ways through this chat. What is shown now has a dot; click a line to go there.</source>
        <translation>
            <numerusform>%n way through this chat. What is shown now has a dot; click a line to go there.</numerusform>
            <numerusform>%n ways through this chat. What is shown now has a dot; click a line to go there.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n messages</source>
        <translation>
            <numerusform>%n message</numerusform>
            <numerusform>%n messages</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>BubbleFold</name>
    <message numerus="yes">
        <source>Show all %Ln lines</source>
        <translation>
            <numerusform>Show all %Ln line</numerusform>
            <numerusform>Show all %Ln lines</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ChangesDialog</name>
    <message numerus="yes">
        <source>%n more follow.</source>
        <translation>
            <numerusform>%n more follows.</numerusform>
            <numerusform>%n more follow.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Accept all %n shown</source>
        <translation>
            <numerusform>Accept the one shown</numerusform>
            <numerusform>Accept all %n shown</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>DataPage</name>
    <message numerus="yes">
        <source>%Ln chats</source>
        <translation>
            <numerusform>%Ln chat</numerusform>
            <numerusform>%Ln chats</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln messages</source>
        <translation>
            <numerusform>%Ln message</numerusform>
            <numerusform>%Ln messages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln chats in the Trash</source>
        <translation>
            <numerusform>%Ln chat in the Trash</numerusform>
            <numerusform>%Ln chats in the Trash</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Deleted chats stay for %n days, then they are deleted for good.</source>
        <translation>
            <numerusform>Deleted chats stay for %n day, then they are deleted for good.</numerusform>
            <numerusform>Deleted chats stay for %n days, then they are deleted for good.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>DataPresenter</name>
    <message numerus="yes">
        <source>Delete %Ln chats for good?</source>
        <translation>
            <numerusform>Delete %Ln chat for good?</numerusform>
            <numerusform>Delete %Ln chats for good?</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>DiagnosisPresenter</name>
    <message numerus="yes">
        <source>%n tools, %1 tokens in all. The number before each is what it takes of the model&apos;s memory with every message.</source>
        <translation>
            <numerusform>%n tool, %1 tokens in all. The number before it is what it takes of the model&apos;s memory with every message.</numerusform>
            <numerusform>%n tools, %1 tokens in all. The number before each is what it takes of the model&apos;s memory with every message.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n items beside the text</source>
        <translation>
            <numerusform>%n item beside the text</numerusform>
            <numerusform>%n items beside the text</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EndpointForm</name>
    <message numerus="yes">
        <source>%n models</source>
        <translation>
            <numerusform>%n model</numerusform>
            <numerusform>%n models</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ExportDialog</name>
    <message numerus="yes">
        <source>%Ln chats exported to %1</source>
        <translation>
            <numerusform>%Ln chat exported to %1</numerusform>
            <numerusform>%Ln chats exported to %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln chats</source>
        <translation>
            <numerusform>%Ln chat</numerusform>
            <numerusform>%Ln chats</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Forgetting</name>
    <message numerus="yes">
        <source>%n memories forgotten</source>
        <translation>
            <numerusform>%n memory forgotten</numerusform>
            <numerusform>%n memories forgotten</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FoundServers</name>
    <message numerus="yes">
        <source>%n model server(s) found</source>
        <translation>
            <numerusform>%n model server found</numerusform>
            <numerusform>%n model servers found</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>GrantRow</name>
    <message numerus="yes">
        <source>used %n times without asking, last %1</source>
        <translation>
            <numerusform>used once without asking, %1</numerusform>
            <numerusform>used %n times without asking, last %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Expired: not used for %n days.</source>
        <translation>
            <numerusform>Expired: not used for %n day.</numerusform>
            <numerusform>Expired: not used for %n days.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Header</name>
    <message numerus="yes">
        <source>Tool servers: %1 of %2 ready, %n failed</source>
        <translation>
            <numerusform>Tool servers: %1 of %2 ready, %n failed</numerusform>
            <numerusform>Tool servers: %1 of %2 ready, %n failed</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>HistoryDialog</name>
    <message numerus="yes">
        <source>%n calls</source>
        <translation>
            <numerusform>%n call</numerusform>
            <numerusform>%n calls</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ImportDialog</name>
    <message numerus="yes">
        <source>Add %n servers</source>
        <translation>
            <numerusform>Add %n server</numerusform>
            <numerusform>Add %n servers</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ImportWording</name>
    <message numerus="yes">
        <source>%n messages</source>
        <translation>
            <numerusform>%n message</numerusform>
            <numerusform>%n messages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n new messages</source>
        <translation>
            <numerusform>%n new message</numerusform>
            <numerusform>%n new messages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n new messages beside those that are shown</source>
        <translation>
            <numerusform>%n new message beside those that are shown</numerusform>
            <numerusform>%n new messages beside those that are shown</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n files missing</source>
        <translation>
            <numerusform>%n file missing</numerusform>
            <numerusform>%n files missing</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln chats imported</source>
        <translation>
            <numerusform>%Ln chat imported</numerusform>
            <numerusform>%Ln chats imported</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln brought up to date</source>
        <translation>
            <numerusform>%Ln brought up to date</numerusform>
            <numerusform>%Ln brought up to date</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln here already</source>
        <translation>
            <numerusform>%Ln here already</numerusform>
            <numerusform>%Ln here already</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln skipped</source>
        <translation>
            <numerusform>%Ln skipped</numerusform>
            <numerusform>%Ln skipped</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>InspectorDialog</name>
    <message numerus="yes">
        <source>%Ln matches</source>
        <translation>
            <numerusform>%Ln match</numerusform>
            <numerusform>%Ln matches</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>KnowledgePresenter</name>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <translation>
            <numerusform>%1 and %n more</numerusform>
            <numerusform>%1 and %n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n could not be read</source>
        <translation>
            <numerusform>%n could not be read</numerusform>
            <numerusform>%n could not be read</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MemoriesOfChats</name>
    <message numerus="yes">
        <source>%n memories come from this chat.</source>
        <translation>
            <numerusform>%n memory comes from this chat.</numerusform>
            <numerusform>%n memories come from this chat.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n memories come from these chats.</source>
        <translation>
            <numerusform>%n memory comes from these chats.</numerusform>
            <numerusform>%n memories come from these chats.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MemoryDetails</name>
    <message numerus="yes">
        <source>%n memories chosen</source>
        <translation>
            <numerusform>%n memory chosen</numerusform>
            <numerusform>%n memories chosen</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MemoryImportDialog</name>
    <message numerus="yes">
        <source>Adding %n memories…</source>
        <translation>
            <numerusform>Adding %n memory…</numerusform>
            <numerusform>Adding %n memories…</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Add %n memories</source>
        <translation>
            <numerusform>Add %n memory</numerusform>
            <numerusform>Add %n memories</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n new</source>
        <translation>
            <numerusform>%n new</numerusform>
            <numerusform>%n new</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n known already</source>
        <translation>
            <numerusform>%n known already</numerusform>
            <numerusform>%n known already</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n forgotten before</source>
        <translation>
            <numerusform>%n forgotten before</numerusform>
            <numerusform>%n forgotten before</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n refused</source>
        <translation>
            <numerusform>%n refused</numerusform>
            <numerusform>%n refused</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MemoryPage</name>
    <message numerus="yes">
        <source>%n memories found</source>
        <translation>
            <numerusform>%n memory found</numerusform>
            <numerusform>%n memories found</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 memories</source>
        <translation>
            <numerusform>%1 memory</numerusform>
            <numerusform>%1 memories</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MemoryTray</name>
    <message numerus="yes">
        <source>%n memories wait for your look</source>
        <translation>
            <numerusform>%n memory waits for your look</numerusform>
            <numerusform>%n memories wait for your look</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MessageFooter</name>
    <message numerus="yes">
        <source>%Ln tokens</source>
        <translation>
            <numerusform>%Ln token</numerusform>
            <numerusform>%Ln tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln memories</source>
        <translation>
            <numerusform>%Ln memory</numerusform>
            <numerusform>%Ln memories</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Read: %Ln tokens</source>
        <translation>
            <numerusform>Read: %Ln token</numerusform>
            <numerusform>Read: %Ln tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>of these %Ln had been read before</source>
        <translation>
            <numerusform>of these %Ln had been read before</numerusform>
            <numerusform>of these %Ln had been read before</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Written: %Ln tokens</source>
        <translation>
            <numerusform>Written: %Ln token</numerusform>
            <numerusform>Written: %Ln tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>of these %Ln for reasoning</source>
        <translation>
            <numerusform>of these %Ln for reasoning</numerusform>
            <numerusform>of these %Ln for reasoning</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ModelPicker</name>
    <message numerus="yes">
        <source>%n models are asked</source>
        <translation>
            <numerusform>%n model is asked</numerusform>
            <numerusform>%n models are asked</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ModelPresenter</name>
    <message numerus="yes">
        <source>%n models</source>
        <translation>
            <numerusform>%n model</numerusform>
            <numerusform>%n models</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MoreRows</name>
    <message numerus="yes">
        <source>… and %Ln more rows. Show the whole table</source>
        <translation>
            <numerusform>… and %Ln more row. Show the whole table</numerusform>
            <numerusform>… and %Ln more rows. Show the whole table</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Navigation</name>
    <message numerus="yes">
        <source>%n settings found</source>
        <translation>
            <numerusform>%n setting found</numerusform>
            <numerusform>%n settings found</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>NoticeArea</name>
    <message numerus="yes">
        <source>%n more messages</source>
        <translation>
            <numerusform>%n more message</numerusform>
            <numerusform>%n more messages</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PermissionsPage</name>
    <message numerus="yes">
        <source>%n are in effect.</source>
        <translation>
            <numerusform>%n is in effect.</numerusform>
            <numerusform>%n are in effect.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n permissions</source>
        <translation>
            <numerusform>%n permission</numerusform>
            <numerusform>%n permissions</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PermissionsPresenter</name>
    <message numerus="yes">
        <source>%n permissions revoked</source>
        <translation>
            <numerusform>Permission revoked</numerusform>
            <numerusform>%n permissions revoked</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PinNotices</name>
    <message numerus="yes">
        <source>%n tools of “%1” changed and wait for you</source>
        <translation>
            <numerusform>%n tool of “%1” changed and waits for you</numerusform>
            <numerusform>%n tools of “%1” changed and wait for you</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PlanCard</name>
    <message numerus="yes">
        <source>%n steps</source>
        <translation>
            <numerusform>%n step</numerusform>
            <numerusform>%n steps</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PromptListModel</name>
    <message numerus="yes">
        <source>used %n times</source>
        <translation>
            <numerusform>used %n time</numerusform>
            <numerusform>used %n times</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PromptsPresenter</name>
    <message numerus="yes">
        <source>%n prompts were deleted</source>
        <translation>
            <numerusform>%n prompt was deleted</numerusform>
            <numerusform>%n prompts were deleted</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n prompts added</source>
        <translation>
            <numerusform>%n prompt added</numerusform>
            <numerusform>%n prompts added</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n were there already</source>
        <translation>
            <numerusform>%n was there already</numerusform>
            <numerusform>%n were there already</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>For %n there was no room</source>
        <translation>
            <numerusform>For %n there was no room</numerusform>
            <numerusform>For %n there was no room</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n could not be read</source>
        <translation>
            <numerusform>%n could not be read</numerusform>
            <numerusform>%n could not be read</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n prompts exported to %1</source>
        <translation>
            <numerusform>%n prompt exported to %1</numerusform>
            <numerusform>%n prompts exported to %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ProvidersPresenter</name>
    <message numerus="yes">
        <source>%n models removed. The demo model answers now.</source>
        <translation>
            <numerusform>%n model removed. The demo model answers now.</numerusform>
            <numerusform>%n models removed. The demo model answers now.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n models removed</source>
        <translation>
            <numerusform>%n model removed</numerusform>
            <numerusform>%n models removed</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>QueueEditor</name>
    <message numerus="yes">
        <source>%n pasted texts go along</source>
        <translation>
            <numerusform>%n pasted text goes along</numerusform>
            <numerusform>%n pasted texts go along</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>QueuePanel</name>
    <message numerus="yes">
        <source>%n messages were not sent yet.</source>
        <translation>
            <numerusform>%n message was not sent yet.</numerusform>
            <numerusform>%n messages were not sent yet.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>You stopped the answer. %n messages wait.</source>
        <translation>
            <numerusform>You stopped the answer. %n message waits.</numerusform>
            <numerusform>You stopped the answer. %n messages wait.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The answer failed. %n messages wait.</source>
        <translation>
            <numerusform>The answer failed. %n message waits.</numerusform>
            <numerusform>The answer failed. %n messages wait.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The answer is not complete. %n messages wait.</source>
        <translation>
            <numerusform>The answer is not complete. %n message waits.</numerusform>
            <numerusform>The answer is not complete. %n messages wait.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The next message could not be sent. %n messages wait.</source>
        <translation>
            <numerusform>The next message could not be sent. %n message waits.</numerusform>
            <numerusform>The next message could not be sent. %n messages wait.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n messages wait until you have changed yours.</source>
        <translation>
            <numerusform>%n message waits until you have changed it.</numerusform>
            <numerusform>%n messages wait until you have changed yours.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n messages are sent when the answer is done.</source>
        <translation>
            <numerusform>%n message is sent when the answer is done.</numerusform>
            <numerusform>%n messages are sent when the answer is done.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>QueuePresenter</name>
    <message numerus="yes">
        <source>%n messages will not be sent</source>
        <translation>
            <numerusform>%n message will not be sent</numerusform>
            <numerusform>%n messages will not be sent</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>QueueRow</name>
    <message numerus="yes">
        <source>%n files or texts</source>
        <translation>
            <numerusform>%n file or text</numerusform>
            <numerusform>%n files or texts</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RecalledPopup</name>
    <message numerus="yes">
        <source>%Ln memories</source>
        <translation>
            <numerusform>%Ln memory</numerusform>
            <numerusform>%Ln memories</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ReceiptDialog</name>
    <message numerus="yes">
        <source>chats with their titles, options and drafts</source>
        <translation>
            <numerusform>chat with its title, options and draft</numerusform>
            <numerusform>chats with their titles, options and drafts</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>messages with all their parts</source>
        <translation>
            <numerusform>message with all its parts</numerusform>
            <numerusform>messages with all their parts</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>results of tools</source>
        <translation>
            <numerusform>result of a tool</numerusform>
            <numerusform>results of tools</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>memories</source>
        <translation>
            <numerusform>memory</numerusform>
            <numerusform>memories</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>documents as knowledge; the files themselves stay</source>
        <translation>
            <numerusform>document as knowledge; the file itself stays</numerusform>
            <numerusform>documents as knowledge; the files themselves stay</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>of your own words, quoted with memories</source>
        <translation>
            <numerusform>of your own words, quoted with memories</numerusform>
            <numerusform>of your own words, quoted with memories</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>entries of the search by words</source>
        <translation>
            <numerusform>entry of the search by words</numerusform>
            <numerusform>entries of the search by words</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>entries of the search by meaning</source>
        <translation>
            <numerusform>entry of the search by meaning</numerusform>
            <numerusform>entries of the search by meaning</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>summaries</source>
        <translation>
            <numerusform>summary</numerusform>
            <numerusform>summaries</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>summaries that are written anew</source>
        <translation>
            <numerusform>summary that is written anew</numerusform>
            <numerusform>summaries that are written anew</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>files</source>
        <translation>
            <numerusform>file</numerusform>
            <numerusform>files</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>records of what tools did</source>
        <translation>
            <numerusform>record of what tools did</numerusform>
            <numerusform>records of what tools did</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>records of what a model was sent</source>
        <translation>
            <numerusform>record of what a model was sent</numerusform>
            <numerusform>records of what a model was sent</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Receipts</name>
    <message numerus="yes">
        <source>%n messages are gone for good</source>
        <translation>
            <numerusform>%n message is gone for good</numerusform>
            <numerusform>%n messages are gone for good</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n results are gone for good</source>
        <translation>
            <numerusform>%n result is gone for good</numerusform>
            <numerusform>%n results are gone for good</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n documents are gone for good</source>
        <translation>
            <numerusform>%n document is gone for good</numerusform>
            <numerusform>%n documents are gone for good</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n memories are gone for good</source>
        <translation>
            <numerusform>%n memory is gone for good</numerusform>
            <numerusform>%n memories are gone for good</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RememberedFold</name>
    <message numerus="yes">
        <source>%Ln memories wait for your look</source>
        <translation>
            <numerusform>%Ln memory waits for your look</numerusform>
            <numerusform>%Ln memories wait for your look</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln changes</source>
        <translation>
            <numerusform>%Ln change</numerusform>
            <numerusform>%Ln changes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RestoreDialog</name>
    <message numerus="yes">
        <source>%Ln chats are added, also those that you deleted since.</source>
        <translation>
            <numerusform>%Ln chat is added, also if you deleted it since.</numerusform>
            <numerusform>%Ln chats are added, also those that you deleted since.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln chats get messages that they do not have.</source>
        <translation>
            <numerusform>%Ln chat gets messages that it does not have.</numerusform>
            <numerusform>%Ln chats get messages that they do not have.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln messages are new.</source>
        <translation>
            <numerusform>%Ln message is new.</numerusform>
            <numerusform>%Ln messages are new.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln memories are new.</source>
        <translation>
            <numerusform>%Ln memory is new.</numerusform>
            <numerusform>%Ln memories are new.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln folders of the list are new.</source>
        <translation>
            <numerusform>%Ln folder of the list is new.</numerusform>
            <numerusform>%Ln folders of the list are new.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln prompts are new.</source>
        <translation>
            <numerusform>%Ln prompt is new.</numerusform>
            <numerusform>%Ln prompts are new.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln assistants are new.</source>
        <translation>
            <numerusform>%Ln assistant is new.</numerusform>
            <numerusform>%Ln assistants are new.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln files or folders are read as knowledge, where they are on this computer: %1.</source>
        <translation>
            <numerusform>%Ln file or folder is read as knowledge, where it is on this computer: %1.</numerusform>
            <numerusform>%Ln files or folders are read as knowledge, where they are on this computer: %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln chats that are only here go.</source>
        <translation>
            <numerusform>%Ln chat that is only here goes.</numerusform>
            <numerusform>%Ln chats that are only here go.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln messages that are only here go.</source>
        <translation>
            <numerusform>%Ln message that is only here goes.</numerusform>
            <numerusform>%Ln messages that are only here go.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln memories that are only here go.</source>
        <translation>
            <numerusform>%Ln memory that is only here goes.</numerusform>
            <numerusform>%Ln memories that are only here go.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln folders of the list that are only here go.</source>
        <translation>
            <numerusform>%Ln folder of the list that is only here goes.</numerusform>
            <numerusform>%Ln folders of the list that are only here go.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln prompts that are only here go.</source>
        <translation>
            <numerusform>%Ln prompt that is only here goes.</numerusform>
            <numerusform>%Ln prompts that are only here go.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln assistants that are only here go.</source>
        <translation>
            <numerusform>%Ln assistant that is only here goes.</numerusform>
            <numerusform>%Ln assistants that are only here go.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln files or folders of knowledge that are only here go.</source>
        <translation>
            <numerusform>%Ln file or folder of knowledge that is only here goes.</numerusform>
            <numerusform>%Ln files or folders of knowledge that are only here go.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ResultItems</name>
    <message numerus="yes">
        <source>… and %Ln more</source>
        <translation>
            <numerusform>… and %Ln more</numerusform>
            <numerusform>… and %Ln more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ResultsPage</name>
    <message numerus="yes">
        <source>Found in %n chats</source>
        <translation>
            <numerusform>Found in %n chat</numerusform>
            <numerusform>Found in %n chats</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SearchResultModel</name>
    <message numerus="yes">
        <source>%n more in this chat</source>
        <translation>
            <numerusform>%n more in this chat</numerusform>
            <numerusform>%n more in this chat</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ServerAdditions</name>
    <message numerus="yes">
        <source>%n servers added, switched off</source>
        <translation>
            <numerusform>%n server added, switched off</numerusform>
            <numerusform>%n servers added, switched off</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ServerCard</name>
    <message numerus="yes">
        <source>%n models</source>
        <translation>
            <numerusform>%n model</numerusform>
            <numerusform>%n models</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ServerDecisions</name>
    <message numerus="yes">
        <source>Show %n more tools</source>
        <translation>
            <numerusform>Show %n more tool</numerusform>
            <numerusform>Show %n more tools</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ServerDetails</name>
    <message numerus="yes">
        <source>%n tools</source>
        <translation>
            <numerusform>%n tool</numerusform>
            <numerusform>%n tools</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n seconds</source>
        <translation>
            <numerusform>%n second</numerusform>
            <numerusform>%n seconds</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ServerPopup</name>
    <message numerus="yes">
        <source>%n tools</source>
        <translation>
            <numerusform>%n tool</numerusform>
            <numerusform>%n tools</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ServerRow</name>
    <message numerus="yes">
        <source>Ready, but %n changed tools wait for you</source>
        <translation>
            <numerusform>Ready, but %n changed tool waits for you</numerusform>
            <numerusform>Ready, but %n changed tools wait for you</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Ready, %n tools</source>
        <translation>
            <numerusform>Ready, %n tool</numerusform>
            <numerusform>Ready, %n tools</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ServersPresenter</name>
    <message numerus="yes">
        <source>Remove all %n servers that you added?</source>
        <translation>
            <numerusform>Remove the server that you added?</numerusform>
            <numerusform>Remove all %n servers that you added?</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n servers removed</source>
        <translation>
            <numerusform>%n server removed</numerusform>
            <numerusform>%n servers removed</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SessionsInWindow</name>
    <message numerus="yes">
        <source>%n entries</source>
        <translation>
            <numerusform>%n entry.</numerusform>
            <numerusform>%n entries.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SettingsWindow</name>
    <message numerus="yes">
        <source>%n settings found</source>
        <translation>
            <numerusform>%n setting found</numerusform>
            <numerusform>%n settings found</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SidebarFooter</name>
    <message numerus="yes">
        <source>Trash, %n chats</source>
        <translation>
            <numerusform>Trash, %n chat</numerusform>
            <numerusform>Trash, %n chats</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SidebarPresenter</name>
    <message numerus="yes">
        <source>%n chats deleted</source>
        <translation>
            <numerusform>Chat deleted</numerusform>
            <numerusform>%n chats deleted</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SourcesFold</name>
    <message numerus="yes">
        <source>%Ln sources</source>
        <translation>
            <numerusform>%Ln source</numerusform>
            <numerusform>%Ln sources</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SummaryDialog</name>
    <message numerus="yes">
        <source>%Ln tokens</source>
        <translation>
            <numerusform>%Ln token</numerusform>
            <numerusform>%Ln tokens</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ThreadDrag</name>
    <message numerus="yes">
        <source>%n chats</source>
        <translation>
            <numerusform>%n chat</numerusform>
            <numerusform>%n chats</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ThreadListModel</name>
    <message numerus="yes">
        <source>%n chats</source>
        <translation>
            <numerusform>%n chat</numerusform>
            <numerusform>%n chats</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ThreadMenu</name>
    <message numerus="yes">
        <source>Delete %n chats</source>
        <translation>
            <numerusform>Delete %n chat</numerusform>
            <numerusform>Delete %n chats</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Export %n chats…</source>
        <translation>
            <numerusform>Export %n chat…</numerusform>
            <numerusform>Export %n chats…</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TransferPresenter</name>
    <message numerus="yes">
        <source>%n memories added</source>
        <translation>
            <numerusform>%n memory added</numerusform>
            <numerusform>%n memories added</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n memories exported to %1</source>
        <translation>
            <numerusform>%n memory exported to %1</numerusform>
            <numerusform>%n memories exported to %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TrashPage</name>
    <message numerus="yes">
        <source>Chats stay here for %n days, then they are deleted for good.</source>
        <translation>
            <numerusform>Chats stay here for %n day, then they are deleted for good.</numerusform>
            <numerusform>Chats stay here for %n days, then they are deleted for good.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TrashPresenter</name>
    <message numerus="yes">
        <source>Delete %n chats for good?</source>
        <translation>
            <numerusform>Delete %n chat for good?</numerusform>
            <numerusform>Delete %n chats for good?</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>WindowPopup</name>
    <message numerus="yes">
        <source>%n older messages are not sent: there is no room for them.</source>
        <translation>
            <numerusform>%n older message is not sent: there is no room for it.</numerusform>
            <numerusform>%n older messages are not sent: there is no room for them.</numerusform>
        </translation>
    </message>
</context>
</TS>
