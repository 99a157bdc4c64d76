<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>ApprovalDialog</name>
    <message>
        <source>Allow this?</source>
        <translation>允许这样做吗？</translation>
    </message>
    <message>
        <source>Scroll to the end of the text first. Only then can it be allowed.</source>
        <translation>请先把文字滚动到末尾，然后才能允许。</translation>
    </message>
    <message>
        <source>{server} server (built in)</source>
        <translation>{server} 服务器（内置）</translation>
    </message>
    <message>
        <source>Run a command</source>
        <translation>运行命令</translation>
    </message>
    <message>
        <source>Use the tool “{tool}”</source>
        <translation>使用工具“{tool}”</translation>
    </message>
    <message>
        <source>Server “{server}”, which you added</source>
        <translation>你添加的服务器“{server}”</translation>
    </message>
    <message>
        <source>The exact command</source>
        <translation>完整的命令</translation>
    </message>
    <message>
        <source>The exact arguments</source>
        <translation>完整的参数</translation>
    </message>
    <message>
        <source>What Threadwell noticed</source>
        <translation>Threadwell 注意到的情况</translation>
    </message>
    <message>
        <source>What this tool is for</source>
        <translation>这个工具的用途</translation>
    </message>
    <message>
        <source>What the server says of this tool (nobody checked it)</source>
        <translation>服务器对这个工具的说明（未经核实）</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详细信息</translation>
    </message>
    <message>
        <source>Runs a command on this computer and tells the model what it printed.</source>
        <translation>在这台电脑上运行一条命令，并把输出告诉模型。</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>{seconds} seconds</source>
        <translation>{seconds} 秒</translation>
    </message>
    <message>
        <source>Time limit</source>
        <translation>时间限制</translation>
    </message>
    <message>
        <source>Sandbox</source>
        <translation>沙盒</translation>
    </message>
    <message>
        <source>Other arguments</source>
        <translation>其他参数</translation>
    </message>
    <message>
        <source>Thread</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>No sandbox: it runs with all your rights</source>
        <translation>没有沙盒：它会以你的全部权限运行</translation>
    </message>
    <message>
        <source>No sandbox: the server does it, outside of Threadwell</source>
        <translation>没有沙盒：由服务器执行，不在 Threadwell 之内</translation>
    </message>
    <message>
        <source>Refuse</source>
        <translation>拒绝</translation>
    </message>
    <message>
        <source>Allow once</source>
        <translation>仅允许这一次</translation>
    </message>
    <message>
        <source>Allow for this thread</source>
        <translation>在此对话中允许</translation>
    </message>
    <message>
        <source>Always for exactly this</source>
        <translation>完全相同时始终允许</translation>
    </message>
    <message>
        <source>“Always” is not offered: the text is too long to be sure of it.</source>
        <translation>不提供“始终允许”：文字太长，无法保证完全看清。</translation>
    </message>
    <message>
        <source>“Always” is not offered for this call.</source>
        <translation>这次调用不提供“始终允许”。</translation>
    </message>
    <message>
        <source>“For this thread” covers exactly this command.</source>
        <translation>“在此对话中允许”只包括这一条完全相同的命令。</translation>
    </message>
    <message>
        <source>“For this thread” covers this tool with any arguments.</source>
        <translation>“在此对话中允许”包括这个工具的任何参数。</translation>
    </message>
    <message>
        <source>“Always” covers exactly this text in this folder.</source>
        <translation>“始终允许”只包括这个文件夹里完全相同的这段文字。</translation>
    </message>
    <message>
        <source>“Always” covers exactly these arguments.</source>
        <translation>“始终允许”只包括完全相同的这些参数。</translation>
    </message>
</context>
<context>
    <name>BubbleWidget</name>
    <message>
        <source>You said</source>
        <translation>你说</translation>
    </message>
</context>
<context>
    <name>CodeWidget</name>
    <message>
        <source>Copy code</source>
        <translation>复制代码</translation>
    </message>
    <message>
        <source>text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>Code, {language}</source>
        <translation>代码，{language}</translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message>
        <source>Message — Enter to send, Shift+Enter for a new line</source>
        <translation>输入消息 — 按 Enter 发送，Shift+Enter 换行</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Stop the answer</source>
        <translation>停止回答</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>发送</translation>
    </message>
    <message>
        <source>Send the message</source>
        <translation>发送消息</translation>
    </message>
    <message>
        <source>Still answering. Your text stays here: send it when the answer is done.</source>
        <translation>还在回答。你写的内容会留在这里，等回答结束后再发送。</translation>
    </message>
</context>
<context>
    <name>CopyButton</name>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
</context>
<context>
    <name>ElicitationDialog</name>
    <message>
        <source>A question</source>
        <translation>一个问题</translation>
    </message>
    <message>
        <source>A question for you</source>
        <translation>有一个问题要问你</translation>
    </message>
    <message>
        <source>A server asks you something</source>
        <translation>一个服务器有问题要问你</translation>
    </message>
    <message>
        <source>Form</source>
        <translation>表单</translation>
    </message>
    <message>
        <source>Accept</source>
        <translation>接受</translation>
    </message>
    <message>
        <source>Look at the warning first: nothing was sent. Tick its box if you want to send this.</source>
        <translation>请先看警告：还没有发送任何内容。如果确定要发送，请勾选它的选框。</translation>
    </message>
    <message>
        <source>Nothing was sent: look at what is marked.</source>
        <translation>还没有发送：请看标出的地方。</translation>
    </message>
    <message>
        <source>Only your answer is sent: this question has no fields.</source>
        <translation>只会发送你的选择：这个问题没有要填写的内容。</translation>
    </message>
    <message>
        <source>Fields with * must be filled in. What you accept is sent to the server.</source>
        <translation>带 * 的必须填写。接受后，内容会发送给服务器。</translation>
    </message>
    <message>
        <source>What you accept is sent to the server.</source>
        <translation>接受后，内容会发送给服务器。</translation>
    </message>
    <message>
        <source>This looks like a question for a password, a key or another secret ({fields}). Servers must not ask for secrets in a form. Better decline.</source>
        <translation>这像是在索要密码、密钥或其他机密（{fields}）。服务器不应该用表单索要机密，最好谢绝。</translation>
    </message>
    <message>
        <source>I know this server and want to send it all the same</source>
        <translation>我了解这个服务器，仍然要发送</translation>
    </message>
</context>
<context>
    <name>EmptyState</name>
    <message>
        <source>What can I do for you?</source>
        <translation>有什么可以帮你？</translation>
    </message>
    <message>
        <source>Everything you write stays on this computer, except what the model is sent.</source>
        <translation>你写的一切都留在这台电脑上，只有发给模型的内容除外。</translation>
    </message>
    <message>
        <source>What can you do with the tools you have?</source>
        <translation>你能用现有的工具做些什么？</translation>
    </message>
    <message>
        <source>What day is it, and how is the weather in Kyoto?</source>
        <translation>今天几号？京都的天气怎么样？</translation>
    </message>
    <message>
        <source>Show me the files in my working folder</source>
        <translation>看看我的工作文件夹里有哪些文件</translation>
    </message>
    <message>
        <source>Ask me what I would like to know, with a form</source>
        <translation>用表单问问我想了解什么</translation>
    </message>
    <message>
        <source>Example: {text}</source>
        <translation>示例：{text}</translation>
    </message>
    <message>
        <source>The demo model answers from a script: no key, no network. The README says how to connect a real one.</source>
        <translation>演示模型按脚本作答：无需密钥，也不联网。如何接入真实模型，请看 README。</translation>
    </message>
</context>
<context>
    <name>ErrorNotice</name>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
</context>
<context>
    <name>FieldRow</name>
    <message>
        <source>(without a name)</source>
        <translation>（没有名称）</translation>
    </message>
    <message>
        <source>{field}, required</source>
        <translation>{field}，必填</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>请选择…</translation>
    </message>
    <message>
        <source>No answer</source>
        <translation>不回答</translation>
    </message>
    <message>
        <source>{least} to {most}</source>
        <translation>{least} 到 {most}</translation>
    </message>
    <message>
        <source>{least} or more</source>
        <translation>不小于 {least}</translation>
    </message>
    <message>
        <source>{most} or less</source>
        <translation>不大于 {most}</translation>
    </message>
    <message>
        <source>name@example.com</source>
        <translation>name@example.com</translation>
    </message>
    <message>
        <source>Contains characters that cannot be seen: {tokens}</source>
        <translation>含有看不见的字符：{tokens}</translation>
    </message>
</context>
<context>
    <name>FoldHeader</name>
    <message>
        <source>open</source>
        <translation>已展开</translation>
    </message>
    <message>
        <source>closed</source>
        <translation>已折叠</translation>
    </message>
</context>
<context>
    <name>Header</name>
    <message>
        <source>Answers come from %1</source>
        <translation>由 %1 回答</translation>
    </message>
    <message>
        <source>Model: %1</source>
        <translation>模型：%1</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>Rename this chat</source>
        <translation>重命名此对话</translation>
    </message>
    <message>
        <source>Title of the chat</source>
        <translation>对话标题</translation>
    </message>
    <message>
        <source>Hide the sidebar</source>
        <translation>隐藏侧边栏</translation>
    </message>
    <message>
        <source>Show the sidebar</source>
        <translation>显示侧边栏</translation>
    </message>
    <message>
        <source>Demo · scripted</source>
        <translation>演示 · 脚本</translation>
    </message>
    <message>
        <source>No model is connected. The built-in demo answers from a script, without network.</source>
        <translation>还没有连接模型。内置的演示按脚本回答，不联网。</translation>
    </message>
    <message>
        <source>Tool servers: %1 of %2 ready</source>
        <translation>工具服务器：%2 个中有 %1 个就绪</translation>
    </message>
    <message numerus="yes">
        <source>%n failed</source>
        <translation>
            <numerusform>%n 个失败</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Interaction</name>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy link address</source>
        <translation>复制链接地址</translation>
    </message>
    <message>
        <source>Copy message</source>
        <translation>复制消息</translation>
    </message>
</context>
<context>
    <name>JumpButton</name>
    <message>
        <source>New text below. Go to the end</source>
        <translation>下面有新内容，转到末尾</translation>
    </message>
    <message>
        <source>Go to the end</source>
        <translation>转到末尾</translation>
    </message>
</context>
<context>
    <name>LinkDialog</name>
    <message>
        <source>Open link</source>
        <translation>打开链接</translation>
    </message>
    <message>
        <source>The whole address</source>
        <translation>完整地址</translation>
    </message>
    <message>
        <source>This address is not opened: it is no plain web or mail address. You can copy it.</source>
        <translation>这个地址不会被打开：它不是普通的网址或邮件地址。你可以复制它。</translation>
    </message>
    <message>
        <source>Write a mail to this address?</source>
        <translation>要给这个地址写邮件吗？</translation>
    </message>
    <message>
        <source>Open this page?</source>
        <translation>要打开这个网页吗？</translation>
    </message>
    <message>
        <source>The text of the link says “{label}”, but it leads to another place.</source>
        <translation>链接的文字写的是“{label}”，但它通向别的地方。</translation>
    </message>
    <message>
        <source>The connection to this page is not encrypted.</source>
        <translation>与这个网页的连接没有加密。</translation>
    </message>
    <message>
        <source>The name stands for letters of another script: {name}</source>
        <translation>这个名称代表另一种文字的字母：{name}</translation>
    </message>
    <message>
        <source>The name has letters that may look like others: {name}</source>
        <translation>名称里有容易与其他字母混淆的字母：{name}</translation>
    </message>
    <message>
        <source>The address names an unusual port.</source>
        <translation>地址使用了不常见的端口。</translation>
    </message>
    <message>
        <source>The address is a number instead of a name.</source>
        <translation>地址是一个数字，而不是名称。</translation>
    </message>
    <message>
        <source>The address leads to this computer itself.</source>
        <translation>这个地址指向本机。</translation>
    </message>
    <message>
        <source>Copy address</source>
        <translation>复制地址</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
</context>
<context>
    <name>MessageFooter</name>
    <message>
        <source>Copy answer</source>
        <translation>复制回答</translation>
    </message>
    <message numerus="yes">
        <source>%Ln tokens</source>
        <translation>
            <numerusform>%Ln 个 token</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MessageHeader</name>
    <message>
        <source>Assistant</source>
        <translation>助手</translation>
    </message>
</context>
<context>
    <name>MoreButton</name>
    <message>
        <source>Show all as text ({count} more characters)</source>
        <translation>以文本显示全部（还有 {count} 个字符）</translation>
    </message>
</context>
<context>
    <name>Notice</name>
    <message>
        <source>Close this message</source>
        <translation>关闭此消息</translation>
    </message>
</context>
<context>
    <name>PromptDialog</name>
    <message>
        <source>{count} more waiting</source>
        <translation>还有 {count} 个在等待</translation>
    </message>
    <message>
        <source>Refuse all</source>
        <translation>全部拒绝</translation>
    </message>
    <message>
        <source>Refuse this question and all that wait</source>
        <translation>拒绝这个问题和所有等待中的问题</translation>
    </message>
</context>
<context>
    <name>SchemaForm</name>
    <message>
        <source>This is needed.</source>
        <translation>此项必填。</translation>
    </message>
    <message>
        <source>Too short: at least {limit} characters.</source>
        <translation>太短：至少 {limit} 个字符。</translation>
    </message>
    <message>
        <source>Too long: at most {limit} characters.</source>
        <translation>太长：最多 {limit} 个字符。</translation>
    </message>
    <message>
        <source>This is not a number.</source>
        <translation>这不是数字。</translation>
    </message>
    <message>
        <source>Enter a whole number.</source>
        <translation>请输入整数。</translation>
    </message>
    <message>
        <source>Too small: at least {limit}.</source>
        <translation>太小：至少为 {limit}。</translation>
    </message>
    <message>
        <source>Too small: it must be more than {limit}.</source>
        <translation>太小：必须大于 {limit}。</translation>
    </message>
    <message>
        <source>Too large: at most {limit}.</source>
        <translation>太大：最多为 {limit}。</translation>
    </message>
    <message>
        <source>Too large: it must be less than {limit}.</source>
        <translation>太大：必须小于 {limit}。</translation>
    </message>
    <message>
        <source>Enter an e-mail address such as name@example.com.</source>
        <translation>请输入邮箱地址，例如 name@example.com。</translation>
    </message>
    <message>
        <source>Enter a complete address such as https://example.com/.</source>
        <translation>请输入完整的网址，例如 https://example.com/。</translation>
    </message>
    <message>
        <source>Enter a date as year-month-day, such as 2026-11-30.</source>
        <translation>请按“年-月-日”输入日期，例如 2026-11-30。</translation>
    </message>
    <message>
        <source>Enter date, time and zone, such as 2026-11-30T18:00:00+08:00.</source>
        <translation>请输入日期、时间和时区，例如 2026-11-30T18:00:00+08:00。</translation>
    </message>
    <message>
        <source>Choose at least {limit}.</source>
        <translation>至少选择 {limit} 项。</translation>
    </message>
    <message>
        <source>Choose at most {limit}.</source>
        <translation>最多选择 {limit} 项。</translation>
    </message>
    <message>
        <source>Contains half a character, which cannot be sent. Type it again.</source>
        <translation>含有不完整的字符，无法发送。请重新输入。</translation>
    </message>
</context>
<context>
    <name>SearchResultModel</name>
    <message>
        <source>New chat</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>Message: %1</source>
        <translation>消息：%1</translation>
    </message>
    <message>
        <source>Chat: %1</source>
        <translation>对话：%1</translation>
    </message>
</context>
<context>
    <name>ServerPopup</name>
    <message>
        <source>Tool servers</source>
        <translation>工具服务器</translation>
    </message>
    <message>
        <source>No tool servers are configured.</source>
        <translation>还没有设置工具服务器。</translation>
    </message>
    <message numerus="yes">
        <source>%n tools</source>
        <translation>
            <numerusform>%n 个工具</numerusform>
        </translation>
    </message>
    <message>
        <source>starting…</source>
        <translation>正在启动…</translation>
    </message>
    <message>
        <source>starting again…</source>
        <translation>正在重新启动…</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>off</source>
        <translation>已关闭</translation>
    </message>
</context>
<context>
    <name>ServerQuestionDialog</name>
    <message>
        <source>{server} server (built in)</source>
        <translation>{server} 服务器（内置）</translation>
    </message>
    <message>
        <source>Server “{server}”, which you added</source>
        <translation>你添加的服务器“{server}”</translation>
    </message>
    <message>
        <source>The server&apos;s message</source>
        <translation>服务器的消息</translation>
    </message>
    <message>
        <source>The question</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>The server writes</source>
        <translation>服务器写道</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Close the question without an answer</source>
        <translation>关闭问题，不作回答</translation>
    </message>
    <message>
        <source>Decline</source>
        <translation>谢绝</translation>
    </message>
    <message>
        <source>Tell the server that you say no</source>
        <translation>告诉服务器你不同意</translation>
    </message>
</context>
<context>
    <name>Sidebar</name>
    <message numerus="yes">
        <source>Found in %n chats</source>
        <translation>
            <numerusform>在 %n 个对话中找到</numerusform>
        </translation>
    </message>
    <message>
        <source>No matches</source>
        <translation>没有找到</translation>
    </message>
    <message>
        <source>Chats</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>Search chats</source>
        <translation>搜索对话</translation>
    </message>
    <message>
        <source>Search in titles and messages</source>
        <translation>搜索标题和消息</translation>
    </message>
    <message>
        <source>No chats yet</source>
        <translation>还没有对话</translation>
    </message>
    <message>
        <source>What you write appears here.</source>
        <translation>你写的对话会显示在这里。</translation>
    </message>
    <message>
        <source>Search results</source>
        <translation>搜索结果</translation>
    </message>
</context>
<context>
    <name>SidebarFooter</name>
    <message>
        <source>its last answer failed</source>
        <translation>上次回答失败</translation>
    </message>
    <message>
        <source>ready</source>
        <translation>就绪</translation>
    </message>
    <message>
        <source>Model: %1</source>
        <translation>模型：%1</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Like the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Menu</source>
        <translation>菜单</translation>
    </message>
    <message numerus="yes">
        <source>Trash, %n chats</source>
        <translation>
            <numerusform>回收站，%n 个对话</numerusform>
        </translation>
    </message>
    <message>
        <source>Trash</source>
        <translation>回收站</translation>
    </message>
</context>
<context>
    <name>SidebarPresenter</name>
    <message numerus="yes">
        <source>%n chats deleted</source>
        <translation>
            <numerusform>已删除 %n 个对话</numerusform>
        </translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Delete “%1” for good?</source>
        <translation>要彻底删除“%1”吗？</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>新对话</translation>
    </message>
    <message numerus="yes">
        <source>Delete %n chats for good?</source>
        <translation>
            <numerusform>要彻底删除 %n 个对话吗？</numerusform>
        </translation>
    </message>
    <message>
        <source>All its text is removed from this computer. This cannot be undone.</source>
        <translation>所有文字都会从这台电脑上清除，无法撤销。</translation>
    </message>
    <message>
        <source>Delete for good</source>
        <translation>彻底删除</translation>
    </message>
</context>
<context>
    <name>StatusLine</name>
    <message>
        <source>Working…</source>
        <translation>正在处理…</translation>
    </message>
    <message>
        <source>You stopped this answer.</source>
        <translation>你停止了这个回答。</translation>
    </message>
    <message>
        <source>This answer was interrupted when the program ended.</source>
        <translation>程序退出时，这个回答被中断了。</translation>
    </message>
    <message>
        <source>This answer failed.</source>
        <translation>这个回答失败了。</translation>
    </message>
    <message>
        <source>The limit of steps for one answer was reached. Write on to continue.</source>
        <translation>已达到一次回答的步数上限。继续写消息即可接着进行。</translation>
    </message>
    <message>
        <source>The model&apos;s length limit was reached. Write on to continue.</source>
        <translation>已达到模型的长度上限。继续写消息即可接着进行。</translation>
    </message>
    <message>
        <source>The endpoint&apos;s content filter ended this answer.</source>
        <translation>接口的内容过滤终止了这个回答。</translation>
    </message>
    <message>
        <source>The model declined to answer.</source>
        <translation>模型拒绝回答。</translation>
    </message>
    <message>
        <source>The model answered nothing.</source>
        <translation>模型没有回答任何内容。</translation>
    </message>
</context>
<context>
    <name>TableWidget</name>
    <message numerus="yes">
        <source>… and %Ln more rows. Copy the message to get them all.</source>
        <translation>
            <numerusform>…还有 %Ln 行。复制消息可以得到全部内容。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TextDialog</name>
    <message>
        <source>Whole message</source>
        <translation>完整消息</translation>
    </message>
    <message>
        <source>Whole message as text</source>
        <translation>完整消息的文本</translation>
    </message>
    <message>
        <source>Copy whole message</source>
        <translation>复制完整消息</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>ThinkingFold</name>
    <message>
        <source>Thinking…</source>
        <translation>正在思考…</translation>
    </message>
    <message>
        <source>Reasoning</source>
        <translation>思考过程</translation>
    </message>
    <message>
        <source>Thought for a moment</source>
        <translation>思考了片刻</translation>
    </message>
    <message>
        <source>Thought for {time}</source>
        <translation>思考了 {time}</translation>
    </message>
</context>
<context>
    <name>ThreadDelegate</name>
    <message>
        <source>Answering…</source>
        <translation>正在回答…</translation>
    </message>
    <message>
        <source>Waits for your answer</source>
        <translation>等待你的答复</translation>
    </message>
    <message>
        <source>The last answer failed</source>
        <translation>上次回答失败</translation>
    </message>
    <message>
        <source>Title of the chat</source>
        <translation>对话标题</translation>
    </message>
</context>
<context>
    <name>ThreadGroups</name>
    <message>
        <source>Today</source>
        <translation>今天</translation>
    </message>
    <message>
        <source>Yesterday</source>
        <translation>昨天</translation>
    </message>
    <message>
        <source>Previous 7 days</source>
        <translation>过去 7 天</translation>
    </message>
    <message>
        <source>MMMM yyyy</source>
        <comment>format of a month</comment>
        <translation>yyyy年M月</translation>
    </message>
    <message>
        <source>d MMM</source>
        <comment>format of a day</comment>
        <translation>M月d日</translation>
    </message>
</context>
<context>
    <name>ThreadListModel</name>
    <message>
        <source>New chat</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>answering</source>
        <translation>正在回答</translation>
    </message>
    <message>
        <source>waits for you</source>
        <translation>等待你</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
</context>
<context>
    <name>ThreadListView</name>
    <message>
        <source>Restore</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Delete for good…</source>
        <translation>彻底删除…</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message numerus="yes">
        <source>Delete %n chats</source>
        <translation>
            <numerusform>删除 %n 个对话</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Toast</name>
    <message>
        <source>Close this message</source>
        <translation>关闭此消息</translation>
    </message>
</context>
<context>
    <name>ToolCard</name>
    <message>
        <source>Preparing…</source>
        <translation>正在准备…</translation>
    </message>
    <message>
        <source>Waiting for your approval</source>
        <translation>等待你的批准</translation>
    </message>
    <message>
        <source>Running…</source>
        <translation>正在运行…</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Refused</source>
        <translation>已拒绝</translation>
    </message>
    <message>
        <source>Timed out</source>
        <translation>超时</translation>
    </message>
    <message>
        <source>Interrupted</source>
        <translation>已中断</translation>
    </message>
    <message>
        <source>Outcome unknown, not repeated</source>
        <translation>结果未知，不会重复执行</translation>
    </message>
    <message>
        <source>Run a command</source>
        <translation>运行命令</translation>
    </message>
    <message>
        <source>Weather (example)</source>
        <translation>天气（示例）</translation>
    </message>
    <message>
        <source>Date and time</source>
        <translation>日期和时间</translation>
    </message>
    <message>
        <source>Calculator</source>
        <translation>计算器</translation>
    </message>
    <message>
        <source>Question to you</source>
        <translation>向你提问</translation>
    </message>
    <message>
        <source>Unknown tool</source>
        <translation>未知工具</translation>
    </message>
    <message>
        <source>Tool {tool} of {server}: {state}</source>
        <translation>{server} 的工具 {tool}：{state}</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Copy: {what}</source>
        <translation>复制：{what}</translation>
    </message>
    <message>
        <source>… %Ln more characters; Copy gives them all.</source>
        <translation>…还有 %Ln 个字符；复制可以得到全部。</translation>
    </message>
</context>
<context>
    <name>Transcript</name>
    <message>
        <source>You said: {text}</source>
        <translation>你说：{text}</translation>
    </message>
    <message>
        <source>Answer: {text}</source>
        <translation>回答：{text}</translation>
    </message>
</context>
<context>
    <name>TranscriptPresenter</name>
    <message>
        <source>Answer finished</source>
        <translation>回答完毕</translation>
    </message>
</context>
<context>
    <name>TranscriptView</name>
    <message>
        <source>Conversation</source>
        <translation>对话内容</translation>
    </message>
</context>
<context>
    <name>TrashPage</name>
    <message>
        <source>Trash</source>
        <translation>回收站</translation>
    </message>
    <message numerus="yes">
        <source>Chats stay here for %n days, then they are deleted for good.</source>
        <translation>
            <numerusform>对话在这里保留 %n 天，之后会彻底删除。</numerusform>
        </translation>
    </message>
    <message>
        <source>The Trash is empty</source>
        <translation>回收站是空的</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Delete for good</source>
        <translation>彻底删除</translation>
    </message>
    <message>
        <source>Back to the chats</source>
        <translation>返回对话列表</translation>
    </message>
    <message>
        <source>Restore the selected chats</source>
        <translation>恢复所选的对话</translation>
    </message>
    <message>
        <source>Delete the selected chats for good</source>
        <translation>彻底删除所选的对话</translation>
    </message>
    <message>
        <source>Deleted chats</source>
        <translation>已删除的对话</translation>
    </message>
</context>
<context>
    <name>UrlDialog</name>
    <message>
        <source>Open a web page?</source>
        <translation>要打开网页吗？</translation>
    </message>
    <message>
        <source>A server wants you to open a web page</source>
        <translation>一个服务器想让你打开网页</translation>
    </message>
    <message>
        <source>Open in browser</source>
        <translation>在浏览器中打开</translation>
    </message>
    <message>
        <source>The browser could not be started. Copy the address and open it yourself.</source>
        <translation>无法启动浏览器。请复制地址，自己打开。</translation>
    </message>
    <message>
        <source>The address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>Copy address</source>
        <translation>复制地址</translation>
    </message>
    <message>
        <source>The whole address</source>
        <translation>完整地址</translation>
    </message>
    <message>
        <source>The page belongs to</source>
        <translation>这个网页属于</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
    <message>
        <source>Threadwell does not open this address.</source>
        <translation>Threadwell 不会打开这个地址。</translation>
    </message>
    <message>
        <source>Nothing is opened until you click. The page opens in your browser, not in Threadwell.</source>
        <translation>你点击之前不会打开任何内容。网页会在你的浏览器中打开，而不是在 Threadwell 里。</translation>
    </message>
    <message>
        <source>This is not the address of a web page.</source>
        <translation>这不是网页地址。</translation>
    </message>
    <message>
        <source>The connection would not be encrypted (http instead of https).</source>
        <translation>连接不会加密（是 http 而不是 https）。</translation>
    </message>
    <message>
        <source>The address has a name and @ before the host, which makes it look like another page: it leads to what stands after the @.</source>
        <translation>地址的主机前有名称和 @，看起来像另一个网页：它实际通向 @ 后面的地方。</translation>
    </message>
    <message>
        <source>The address has blanks or characters that cannot be seen.</source>
        <translation>地址里有空白或看不见的字符。</translation>
    </message>
    <message>
        <source>The address is longer than {limit} characters.</source>
        <translation>地址超过 {limit} 个字符。</translation>
    </message>
    <message>
        <source>The host is a spelling for other letters: {name}</source>
        <translation>主机名是另一种字母的转写：{name}</translation>
    </message>
    <message>
        <source>The host has letters that can look like others. Its plain form is {name}</source>
        <translation>主机名里有容易混淆的字母。它的普通写法是 {name}</translation>
    </message>
    <message>
        <source>The address names an unusual port.</source>
        <translation>地址使用了不常见的端口。</translation>
    </message>
    <message>
        <source>The host is a number instead of a name: nobody can see whose it is.</source>
        <translation>主机是一个数字，而不是名称：看不出属于谁。</translation>
    </message>
    <message>
        <source>The page is on this computer.</source>
        <translation>这个网页在本机上。</translation>
    </message>
</context>
<context>
    <name>WindowPresenter</name>
    <message>
        <source>Demo model</source>
        <translation>演示模型</translation>
    </message>
</context>
<context>
    <name>confirm</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>durations</name>
    <message>
        <source>{seconds} s</source>
        <translation>{seconds} 秒</translation>
    </message>
    <message>
        <source>{minutes} min {seconds} s</source>
        <translation>{minutes} 分 {seconds} 秒</translation>
    </message>
</context>
<context>
    <name>errors</name>
    <message>
        <source>The model endpoint cannot be reached</source>
        <translation>无法连接模型接口</translation>
    </message>
    <message>
        <source>Nothing answered at {url} ({detail}). Check that the server runs and that the address is right, then send again.</source>
        <translation>{url} 没有回应（{detail}）。请确认服务器正在运行、地址正确，然后重新发送。</translation>
    </message>
    <message>
        <source>The model did not answer in time</source>
        <translation>模型没有及时回答</translation>
    </message>
    <message>
        <source>Nothing useful arrived for {seconds} seconds. The text so far is kept. Send again, or choose a faster model.</source>
        <translation>{seconds} 秒内没有收到有用的内容。已收到的文字会保留。请重新发送，或换一个更快的模型。</translation>
    </message>
    <message>
        <source>The connection to the model broke off</source>
        <translation>与模型的连接中断了</translation>
    </message>
    <message>
        <source>The text so far is kept, no unfinished tool call was run ({detail}). Send again to go on.</source>
        <translation>已收到的文字会保留，未完成的工具调用没有执行（{detail}）。重新发送即可继续。</translation>
    </message>
    <message>
        <source>The answer ended before it was complete</source>
        <translation>回答还没有完成就结束了</translation>
    </message>
    <message>
        <source>The endpoint closed the stream without saying that it had finished. The text so far is kept. Send again to go on.</source>
        <translation>接口没有说明已完成就关闭了数据流。已收到的文字会保留。重新发送即可继续。</translation>
    </message>
    <message>
        <source>The model answered nothing</source>
        <translation>模型没有回答任何内容</translation>
    </message>
    <message>
        <source>The answer was empty. The thread may be too long for this model; start a new one or choose another model.</source>
        <translation>回答是空的。对话可能对这个模型来说太长了；请新建对话，或换一个模型。</translation>
    </message>
    <message>
        <source>The endpoint refused the key</source>
        <translation>接口拒绝了密钥</translation>
    </message>
    <message>
        <source>{url} answered {status}: {detail} Check the key and that it belongs to this endpoint.</source>
        <translation>{url} 返回 {status}：{detail} 请检查密钥，并确认它属于这个接口。</translation>
    </message>
    <message>
        <source>The endpoint does not know this model or address</source>
        <translation>接口不认识这个模型或地址</translation>
    </message>
    <message>
        <source>{url} answered 404 for the model “{model}”: {detail} Check the model&apos;s name and the base URL.</source>
        <translation>{url} 对模型“{model}”返回 404：{detail} 请检查模型名称和接口地址（base URL）。</translation>
    </message>
    <message>
        <source>The endpoint asks to wait</source>
        <translation>接口要求稍候</translation>
    </message>
    <message>
        <source>Too many requests, or the account&apos;s quota is used up: {detail} Wait a moment and send again.</source>
        <translation>请求太多，或账户额度已用完：{detail} 请稍等片刻再发送。</translation>
    </message>
    <message>
        <source>The endpoint refused the request</source>
        <translation>接口拒绝了请求</translation>
    </message>
    <message>
        <source>{url} answered {status}: {detail}</source>
        <translation>{url} 返回 {status}：{detail}</translation>
    </message>
    <message>
        <source>The endpoint failed</source>
        <translation>接口出错了</translation>
    </message>
    <message>
        <source>{url} reported an error of its own ({status}): {detail} Send again in a moment.</source>
        <translation>{url} 报告了自身的错误（{status}）：{detail} 请稍后重新发送。</translation>
    </message>
    <message>
        <source>The address does not answer like a model endpoint</source>
        <translation>这个地址不像模型接口</translation>
    </message>
    <message>
        <source>{url} sent {content_type} instead of a stream: {detail} Check the base URL; it usually ends in /v1.</source>
        <translation>{url} 返回的是 {content_type}，而不是数据流：{detail} 请检查接口地址（base URL），它通常以 /v1 结尾。</translation>
    </message>
    <message>
        <source>The base URL cannot be used</source>
        <translation>接口地址（base URL）不能使用</translation>
    </message>
    <message>
        <source>“{url}” is no address of the form http://host/v1 or https://host/v1.</source>
        <translation>“{url}”不是 http://host/v1 或 https://host/v1 这样的地址。</translation>
    </message>
    <message>
        <source>No model is chosen</source>
        <translation>还没有选择模型</translation>
    </message>
    <message>
        <source>Give the model&apos;s name for the endpoint {url}.</source>
        <translation>请给出接口 {url} 的模型名称。</translation>
    </message>
    <message>
        <source>The key is missing</source>
        <translation>缺少密钥</translation>
    </message>
    <message>
        <source>The environment variable {variable} is not set or is empty. Set it and start again.</source>
        <translation>环境变量 {variable} 没有设置或是空的。请设置后重新启动。</translation>
    </message>
    <message>
        <source>The key cannot be used</source>
        <translation>密钥不能使用</translation>
    </message>
    <message>
        <source>The environment variable {variable} holds characters that cannot be part of a key, such as spaces or letters with accents. Copy the key again.</source>
        <translation>环境变量 {variable} 里有密钥不可能包含的字符，例如空格或带重音的字母。请重新复制密钥。</translation>
    </message>
    <message>
        <source>The endpoint does not allow this</source>
        <translation>接口不允许这样做</translation>
    </message>
    <message>
        <source>{url} answered {status}: {detail} The account, its plan or the region may not use this model.</source>
        <translation>{url} 返回 {status}：{detail} 这个账户、它的套餐或所在地区可能不能使用这个模型。</translation>
    </message>
    <message>
        <source>The account has no credit left</source>
        <translation>账户余额不足</translation>
    </message>
    <message>
        <source>{url} answered: {detail} Top up the account, then send again.</source>
        <translation>{url} 返回：{detail} 请充值后重新发送。</translation>
    </message>
    <message>
        <source>The thread is too long for this model</source>
        <translation>对话对这个模型来说太长了</translation>
    </message>
    <message>
        <source>{detail} Start a new thread, or choose a model with a larger context.</source>
        <translation>{detail} 请新建对话，或选择上下文更长的模型。</translation>
    </message>
    <message>
        <source>The endpoint points to another address</source>
        <translation>接口指向了另一个地址</translation>
    </message>
    <message>
        <source>{url} answered {status} and sends on to {location}. Nothing was sent there. If you trust it, give it as the base URL.</source>
        <translation>{url} 返回 {status}，要求转到 {location}。没有向那里发送任何内容。如果你信任它，请把它设为接口地址（base URL）。</translation>
    </message>
    <message>
        <source>The endpoint sent something unreadable</source>
        <translation>接口发来了无法读取的内容</translation>
    </message>
    <message>
        <source>The answer did not end</source>
        <translation>回答没完没了</translation>
    </message>
    <message>
        <source>The model wrote far more than an answer can hold and was stopped; models that repeat themselves do that. The beginning is kept. Send again, or choose another model.</source>
        <translation>模型写出的内容远超一条回答所能容纳的长度，已被停止；陷入重复的模型会这样。开头部分已保留。请重新发送，或换一个模型。</translation>
    </message>
    <message>
        <source>Something in Threadwell failed while answering</source>
        <translation>回答时 Threadwell 内部出错了</translation>
    </message>
    <message>
        <source>{detail} What was received is kept; the log has the details.</source>
        <translation>{detail} 已收到的内容会保留；详细信息见日志。</translation>
    </message>
    <message>
        <source>The data folder cannot be written</source>
        <translation>无法写入数据文件夹</translation>
    </message>
    <message>
        <source>{path}: {detail} Choose another folder with --data-dir, or give yourself the right to write there.</source>
        <translation>{path}：{detail} 请用 --data-dir 选择另一个文件夹，或给自己写入权限。</translation>
    </message>
    <message>
        <source>The database was made by a newer Threadwell</source>
        <translation>数据库来自更新版本的 Threadwell</translation>
    </message>
    <message>
        <source>{path} has version {found}, this program knows {known}. It was left untouched. Update Threadwell, or choose another folder with --data-dir.</source>
        <translation>{path} 的版本是 {found}，本程序只认识 {known}。文件没有被改动。请更新 Threadwell，或用 --data-dir 选择另一个文件夹。</translation>
    </message>
    <message>
        <source>The database was damaged</source>
        <translation>数据库已损坏</translation>
    </message>
    <message>
        <source>It was kept as {kept_as} and a new one was begun ({detail}).</source>
        <translation>它被保存为 {kept_as}，并新建了一个数据库（{detail}）。</translation>
    </message>
    <message>
        <source>The disk is full</source>
        <translation>磁盘已满</translation>
    </message>
    <message>
        <source>The last change could not be saved in {path}. Free some space, then try again.</source>
        <translation>最近的更改无法保存到 {path}。请腾出一些空间，然后重试。</translation>
    </message>
    <message>
        <source>The database could not be used</source>
        <translation>数据库无法使用</translation>
    </message>
    <message>
        <source>{detail} The last change was not saved; what was saved before is safe.</source>
        <translation>{detail} 最近的更改没有保存；之前保存的内容是安全的。</translation>
    </message>
    <message>
        <source>This thread does not exist any more</source>
        <translation>这个对话已不存在</translation>
    </message>
    <message>
        <source>It was deleted, or its id {thread_id} is wrong.</source>
        <translation>它已被删除，或者编号 {thread_id} 有误。</translation>
    </message>
    <message>
        <source>The data folder is in use</source>
        <translation>数据文件夹正在使用</translation>
    </message>
    <message>
        <source>{holder} uses {path}. Close it first.</source>
        <translation>{holder} 正在使用 {path}。请先关闭它。</translation>
    </message>
    <message>
        <source>The settings file could not be read</source>
        <translation>无法读取设置文件</translation>
    </message>
    <message>
        <source>It was kept as {kept_as}, and the standard settings are used ({detail}).</source>
        <translation>它被保存为 {kept_as}，现在使用默认设置（{detail}）。</translation>
    </message>
    <message>
        <source>The settings were made by a newer Threadwell</source>
        <translation>设置来自更新版本的 Threadwell</translation>
    </message>
    <message>
        <source>They were kept as {kept_as}, and the standard settings are used.</source>
        <translation>它们被保存为 {kept_as}，现在使用默认设置。</translation>
    </message>
    <message>
        <source>The list of MCP servers cannot be used</source>
        <translation>MCP 服务器列表不能使用</translation>
    </message>
    <message>
        <source>{path}: {detail}</source>
        <translation>{path}：{detail}</translation>
    </message>
    <message>
        <source>An MCP server was left out</source>
        <translation>有一个 MCP 服务器没有启用</translation>
    </message>
    <message>
        <source>{path}: {detail} The other servers are used.</source>
        <translation>{path}：{detail}其他服务器照常使用。</translation>
    </message>
    <message>
        <source>This thread is still answering</source>
        <translation>这个对话还在回答</translation>
    </message>
    <message>
        <source>Wait for the answer or stop it, then send again.</source>
        <translation>请等待回答结束或将其停止，然后重新发送。</translation>
    </message>
    <message>
        <source>The tool did not answer in time</source>
        <translation>工具没有及时回应</translation>
    </message>
    <message>
        <source>No result within {seconds} seconds.</source>
        <translation>{seconds} 秒内没有结果。</translation>
    </message>
    <message>
        <source>The tool&apos;s server is not there</source>
        <translation>工具的服务器不在线</translation>
    </message>
    <message>
        <source>{server}: {detail}</source>
        <translation>{server}：{detail}</translation>
    </message>
    <message>
        <source>The tool call failed</source>
        <translation>工具调用失败</translation>
    </message>
    <message>
        <source>{detail}</source>
        <translation>{detail}</translation>
    </message>
    <message>
        <source>Something went wrong</source>
        <translation>出了点问题</translation>
    </message>
</context>
<context>
    <name>findings</name>
    <message>
        <source>Contains characters that cannot be seen: {detail}</source>
        <translation>含有看不见的字符：{detail}</translation>
    </message>
    <message>
        <source>Letters that look like others: {detail}</source>
        <translation>有容易与其他字母混淆的字母：{detail}</translation>
    </message>
    <message>
        <source>Much empty space that may hide what follows: {detail} blanks</source>
        <translation>有大量空白，可能藏着后面的内容：{detail} 个空格</translation>
    </message>
    <message>
        <source>Could not be fully understood: what is not listed here may still be done</source>
        <translation>无法完全理解：没有列出的事情也可能发生</translation>
    </message>
    <message>
        <source>Very many commands in one, not all can be judged: {detail}</source>
        <translation>一次包含很多条命令，无法全部判断：{detail}</translation>
    </message>
    <message>
        <source>Written so that it is hard to read: {detail}</source>
        <translation>写法难以看懂：{detail}</translation>
    </message>
    <message>
        <source>Which program runs is only known when it runs: {detail}</source>
        <translation>运行时才知道会启动哪个程序：{detail}</translation>
    </message>
    <message>
        <source>Changes rights or the system: {detail}</source>
        <translation>更改权限或系统：{detail}</translation>
    </message>
    <message>
        <source>Deletes: {detail}</source>
        <translation>删除：{detail}</translation>
    </message>
    <message>
        <source>Touches a sensitive place: {detail}</source>
        <translation>涉及敏感位置：{detail}</translation>
    </message>
    <message>
        <source>Sets a variable that changes how programs work: {detail}</source>
        <translation>设置会改变程序行为的变量：{detail}</translation>
    </message>
    <message>
        <source>Runs a script or code: {detail}</source>
        <translation>运行脚本或代码：{detail}</translation>
    </message>
    <message>
        <source>Starts other programs: {detail}</source>
        <translation>启动其他程序：{detail}</translation>
    </message>
    <message>
        <source>Gives a name a new meaning: {detail}</source>
        <translation>赋予名称新的含义：{detail}</translation>
    </message>
    <message>
        <source>A part is computed when it runs: {detail}</source>
        <translation>有一部分在运行时才计算出来：{detail}</translation>
    </message>
    <message>
        <source>Uses the network: {detail}</source>
        <translation>使用网络：{detail}</translation>
    </message>
    <message>
        <source>Writes: {detail}</source>
        <translation>写入：{detail}</translation>
    </message>
    <message>
        <source>A path that may lie outside the folder: {detail}</source>
        <translation>路径可能在文件夹之外：{detail}</translation>
    </message>
    <message>
        <source>Ends programs: {detail}</source>
        <translation>结束程序：{detail}</translation>
    </message>
    <message>
        <source>May run without end or use much memory or disk: {detail}</source>
        <translation>可能无休止地运行，或占用大量内存或磁盘：{detail}</translation>
    </message>
    <message>
        <source>Goes on in the background: {detail}</source>
        <translation>在后台继续运行：{detail}</translation>
    </message>
    <message>
        <source>Reads the environment, where keys may stand: {detail}</source>
        <translation>读取环境变量，其中可能有密钥：{detail}</translation>
    </message>
    <message>
        <source>Its name says that it deletes or ends something: {detail}</source>
        <translation>名称表明它会删除或结束某些东西：{detail}</translation>
    </message>
    <message>
        <source>Its name says that it sends something out: {detail}</source>
        <translation>名称表明它会向外发送内容：{detail}</translation>
    </message>
    <message>
        <source>The server says that this tool can destroy data</source>
        <translation>服务器说明这个工具可能破坏数据</translation>
    </message>
    <message>
        <source>Threadwell does not know what this program does: {detail}</source>
        <translation>Threadwell 不了解这个程序的作用：{detail}</translation>
    </message>
    <message>
        <source>Programs: {detail}</source>
        <translation>程序：{detail}</translation>
    </message>
</context>
</TS>
