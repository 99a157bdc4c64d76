<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>Header</name>
    <message numerus="yes">
        <source>%n failed</source>
        <translation>
            <numerusform>%n failed</numerusform>
            <numerusform>%n failed</numerusform>
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
    <name>Sidebar</name>
    <message numerus="yes">
        <source>Found in %n chats</source>
        <translation>
            <numerusform>Found in %n chat</numerusform>
            <numerusform>Found in %n chats</numerusform>
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
    <message numerus="yes">
        <source>Delete %n chats for good?</source>
        <translation>
            <numerusform>Delete %n chat for good?</numerusform>
            <numerusform>Delete %n chats for good?</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TableWidget</name>
    <message numerus="yes">
        <source>… and %Ln more rows. Copy the message to get them all.</source>
        <translation>
            <numerusform>… and %Ln more row. Copy the message to get them all.</numerusform>
            <numerusform>… and %Ln more rows. Copy the message to get them all.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ThreadListView</name>
    <message numerus="yes">
        <source>Delete %n chats</source>
        <translation>
            <numerusform>Delete %n chat</numerusform>
            <numerusform>Delete %n chats</numerusform>
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
</TS>
