<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>AboutPage</name>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
    <message>
        <source>About</source>
        <translation>关于</translation>
    </message>
    <message>
        <source>A chat app that keeps its memory on your own disk and asks before it acts.</source>
        <translation>把记忆保存在你自己的磁盘上、行动之前先问你的对话应用。</translation>
    </message>
    <message>
        <source>Versions</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>Licences</source>
        <translation>许可证</translation>
    </message>
    <message>
        <source>version release</source>
        <translation>版本 发布 version</translation>
    </message>
    <message>
        <source>Built with</source>
        <translation>基于</translation>
    </message>
    <message>
        <source>Details for a bug report</source>
        <translation>问题报告所需的信息</translation>
    </message>
    <message>
        <source>Versions only: nothing about you, your files or your chats.</source>
        <translation>只有版本号：不包含关于你、你的文件或对话的任何信息。</translation>
    </message>
    <message>
        <source>clipboard system information</source>
        <translation>剪贴板 系统信息 反馈 bug</translation>
    </message>
    <message>
        <source>Copy details</source>
        <translation>复制信息</translation>
    </message>
    <message>
        <source>Licence of Threadwell</source>
        <translation>Threadwell 的许可证</translation>
    </message>
    <message>
        <source>%1: you may use, change and pass it on freely.</source>
        <translation>%1：你可以自由地使用、修改和分发。</translation>
    </message>
    <message>
        <source>license copyright open source</source>
        <translation>许可证 版权 开源 license</translation>
    </message>
    <message>
        <source>Read</source>
        <translation>查看</translation>
    </message>
    <message>
        <source>Third-party software</source>
        <translation>第三方软件</translation>
    </message>
    <message>
        <source>The packages that Threadwell uses. Choose a line to read its licence.</source>
        <translation>Threadwell 使用的软件包。选择一行即可查看其许可证。</translation>
    </message>
    <message>
        <source>license packages libraries dependencies third party</source>
        <translation>许可证 软件包 库 依赖 第三方 license</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>许可证</translation>
    </message>
</context>
<context>
    <name>AccentRow</name>
    <message>
        <source>Indigo</source>
        <translation>靛蓝</translation>
    </message>
    <message>
        <source>Blue</source>
        <translation>蓝色</translation>
    </message>
    <message>
        <source>Teal</source>
        <translation>青色</translation>
    </message>
    <message>
        <source>Green</source>
        <translation>绿色</translation>
    </message>
    <message>
        <source>Orange</source>
        <translation>橙色</translation>
    </message>
    <message>
        <source>Rose</source>
        <translation>玫红</translation>
    </message>
    <message>
        <source>Graphite</source>
        <translation>石墨灰</translation>
    </message>
    <message>
        <source>Accent: %1</source>
        <translation>强调色：%1</translation>
    </message>
</context>
<context>
    <name>AddEndpointDialog</name>
    <message>
        <source>Add a model</source>
        <translation>添加模型</translation>
    </message>
    <message>
        <source>Choose whose key it is. It is filled in for you, and kept out of the chat.</source>
        <translation>请选择这是谁的密钥。它会自动填好，不会出现在对话里。</translation>
    </message>
</context>
<context>
    <name>AdvancedFields</name>
    <message>
        <source>This is not a valid environment variable name, such as OPENAI_API_KEY.</source>
        <translation>这不是有效的环境变量名，例如 OPENAI_API_KEY。</translation>
    </message>
    <message>
        <source>Take the key from an environment variable</source>
        <translation>从环境变量读取密钥</translation>
    </message>
    <message>
        <source>Further headers</source>
        <translation>附加请求头</translation>
    </message>
    <message>
        <source>One in each line. Where the key belongs in one of them, write {key}: X-Api-Key: {key}</source>
        <translation>每行一个。需要填写密钥的地方请写 {key}，例如 X-Api-Key: {key}</translation>
    </message>
    <message>
        <source>Proxy</source>
        <translation>代理</translation>
    </message>
    <message>
        <source>As the system says</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>None</source>
        <translation>不使用代理</translation>
    </message>
    <message>
        <source>This one:</source>
        <translation>使用以下代理：</translation>
    </message>
    <message>
        <source>Address of the proxy</source>
        <translation>代理地址</translation>
    </message>
    <message>
        <source>“%1” has no colon. Write a name, a colon and a value, such as X-Title: Threadwell.</source>
        <translation>“%1”没有冒号。请按“名称: 值”的形式填写，例如 X-Title: Threadwell。</translation>
    </message>
    <message>
        <source>“%1” cannot be the name of a header.</source>
        <translation>“%1”不能用作请求头的名称。</translation>
    </message>
    <message>
        <source>“%1” is set by Threadwell itself and cannot be changed.</source>
        <translation>“%1”由 Threadwell 自行设置，不能更改。</translation>
    </message>
    <message>
        <source>The value of “%1” is empty, too long, or has characters other than plain ASCII.</source>
        <translation>“%1”的值是空的、太长，或含有 ASCII 以外的字符。</translation>
    </message>
    <message>
        <source>“%1” holds a secret, and headers are stored as plain text. Enter the secret as the key above, and write {key} here in its place.</source>
        <translation>“%1”含有机密，而请求头会以明文保存。请把机密填在上方的密钥栏，并在这里用 {key} 代替。</translation>
    </message>
    <message>
        <source>“%1” is there twice.</source>
        <translation>“%1”出现了两次。</translation>
    </message>
    <message>
        <source>At most %1 headers can be sent.</source>
        <translation>最多可以发送 %1 个请求头。</translation>
    </message>
    <message>
        <source>Enter the address of the proxy, for example http://127.0.0.1:7890.</source>
        <translation>请输入代理地址，例如 http://127.0.0.1:7890。</translation>
    </message>
    <message>
        <source>This is not an address like http://host:port or socks5://host:port.</source>
        <translation>这不是 http://host:port 或 socks5://host:port 这样的地址。</translation>
    </message>
    <message>
        <source>The address holds a user name or password, and it is stored as plain text. Set such a proxy in the variable HTTPS_PROXY, and choose “As the system says”.</source>
        <translation>地址中含有用户名或密码，而地址会以明文保存。请改用环境变量 HTTPS_PROXY 设置这个代理，并选择“跟随系统”。</translation>
    </message>
</context>
<context>
    <name>AnswerColumn</name>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>Waiting…</source>
        <translation>正在等待…</translation>
    </message>
    <message>
        <source>Thinking…</source>
        <translation>正在思考…</translation>
    </message>
    <message>
        <source>Writing…</source>
        <translation>正在书写…</translation>
    </message>
    <message>
        <source>Using tools…</source>
        <translation>正在使用工具…</translation>
    </message>
    <message>
        <source>Waits for you</source>
        <translation>等待你的答复</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Assistant</source>
        <translation>助手</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Use this answer</source>
        <translation>采用此回答</translation>
    </message>
    <message>
        <source>Use the answer from %1</source>
        <translation>采用 %1 的回答</translation>
    </message>
    <message>
        <source>Stop the answer from %1</source>
        <translation>停止 %1 的回答</translation>
    </message>
    <message>
        <source>In the chat</source>
        <translation>在对话中</translation>
    </message>
    <message>
        <source>Answer %1 of %2</source>
        <translation>第 %1 个回答，共 %2 个</translation>
    </message>
    <message>
        <source>%1, from %2, %3</source>
        <translation>%1，来自 %2，%3</translation>
    </message>
    <message>
        <source>%1, in the chat</source>
        <translation>%1，在对话中</translation>
    </message>
</context>
<context>
    <name>AnswerSwitch</name>
    <message>
        <source>%1 of %2</source>
        <translation>第 %1/%2 个</translation>
    </message>
    <message>
        <source>Previous version of this message</source>
        <translation>这条消息的上一个版本</translation>
    </message>
    <message>
        <source>Next version of this message</source>
        <translation>这条消息的下一个版本</translation>
    </message>
    <message>
        <source>Previous answer</source>
        <translation>上一个回答</translation>
    </message>
    <message>
        <source>Next answer</source>
        <translation>下一个回答</translation>
    </message>
    <message>
        <source>Show the answers side by side</source>
        <translation>并排显示这些回答</translation>
    </message>
    <message>
        <source>Map of branches</source>
        <translation>分支图</translation>
    </message>
    <message>
        <source>Side by side</source>
        <translation>并排</translation>
    </message>
</context>
<context>
    <name>AnswersPresenter</name>
    <message>
        <source>The last answer was copied</source>
        <translation>已复制上一个回答</translation>
    </message>
    <message>
        <source>Answer %1 of %2, from %3</source>
        <translation>第 %1 个回答，共 %2 个，来自 %3</translation>
    </message>
    <message>
        <source>Version %1 of %2 of your message</source>
        <translation>你的消息的版本 %1（共 %2 个）</translation>
    </message>
</context>
<context>
    <name>ApiPage</name>
    <message>
        <source>Local API</source>
        <translation>本地 API</translation>
    </message>
    <message>
        <source>Other programs on this computer can chat here, with your models, your memory and your tools. Nobody outside this computer can reach it, and no web page.</source>
        <translation>这台电脑上的其他程序可以在这里对话，使用你的模型、记忆和工具。电脑之外的人访问不到它，网页也不行。</translation>
    </message>
    <message>
        <source>Let other programs chat here</source>
        <translation>允许其他程序在这里对话</translation>
    </message>
    <message>
        <source>When a tool needs your permission, you are asked in this window as always.</source>
        <translation>当工具需要你的许可时，和平常一样会在这个窗口里问你。</translation>
    </message>
    <message>
        <source>HTTP server OpenAI program script</source>
        <translation>HTTP 服务器 OpenAI 程序 脚本</translation>
    </message>
    <message>
        <source>Port</source>
        <translation>端口</translation>
    </message>
    <message>
        <source>Change it when another program uses the same one.</source>
        <translation>如果另一个程序也在用这个端口，就换一个。</translation>
    </message>
    <message>
        <source>For other programs</source>
        <translation>供其他程序使用</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Renew</source>
        <translation>更换</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>Programs that know OpenAI&apos;s API call it the base URL.</source>
        <translation>支持 OpenAI API 的程序把它叫作 base URL。</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>令牌</translation>
    </message>
    <message>
        <source>key secret password</source>
        <translation>密钥 密码 key</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>已关闭</translation>
    </message>
    <message>
        <source>Nothing listens for other programs.</source>
        <translation>没有在等待其他程序。</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>正在启动…</translation>
    </message>
    <message>
        <source>On</source>
        <translation>已开启</translation>
    </message>
    <message>
        <source>Programs with the token are answered.</source>
        <translation>带有令牌的程序会得到回答。</translation>
    </message>
    <message>
        <source>It is made when you switch the API on.</source>
        <translation>开启 API 时会自动生成。</translation>
    </message>
    <message>
        <source>Programs must send it, as a bearer token or API key. The system&apos;s keychain does not keep it, so another one is made when Threadwell starts again.</source>
        <translation>程序必须把它作为 bearer 令牌或 API 密钥发送。系统的钥匙串没有保存它，所以 Threadwell 下次启动时会生成另一个。</translation>
    </message>
    <message>
        <source>Programs must send it, as a bearer token or API key. It lies in the system&apos;s keychain.</source>
        <translation>程序必须把它作为 bearer 令牌或 API 密钥发送。它保存在系统的钥匙串里。</translation>
    </message>
    <message>
        <source>Hide</source>
        <translation>隐藏</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
</context>
<context>
    <name>ApiPresenter</name>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
    <message>
        <source>The new token holds. Programs with the old one are refused from now on.</source>
        <translation>新令牌已生效。使用旧令牌的程序从现在起会被拒绝。</translation>
    </message>
</context>
<context>
    <name>AppearancePage</name>
    <message>
        <source>Appearance</source>
        <translation>外观</translation>
    </message>
    <message>
        <source>How Threadwell looks. Every change shows at once.</source>
        <translation>Threadwell 的外观。更改会立即生效。</translation>
    </message>
    <message>
        <source>Colours</source>
        <translation>颜色</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文字</translation>
    </message>
    <message>
        <source>Motion and notifications</source>
        <translation>动画与通知</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>dark light system night colours</source>
        <translation>深色 浅色 系统 夜间 颜色 dark light</translation>
    </message>
    <message>
        <source>Accent colour</source>
        <translation>强调色</translation>
    </message>
    <message>
        <source>Buttons, links and marks.</source>
        <translation>用于按钮、链接和标记。</translation>
    </message>
    <message>
        <source>color highlight</source>
        <translation>颜色 高亮 主题色</translation>
    </message>
    <message>
        <source>Text size</source>
        <translation>字号</translation>
    </message>
    <message>
        <source>For the window and the chats.</source>
        <translation>用于窗口和对话。</translation>
    </message>
    <message>
        <source>font bigger smaller zoom</source>
        <translation>字体 字号 放大 缩小</translation>
    </message>
    <message>
        <source>Code size</source>
        <translation>代码字号</translation>
    </message>
    <message>
        <source>For code and commands.</source>
        <translation>用于代码和命令。</translation>
    </message>
    <message>
        <source>font monospace</source>
        <translation>字体 等宽 代码</translation>
    </message>
    <message>
        <source>Spacing</source>
        <translation>间距</translation>
    </message>
    <message>
        <source>Compact shows more at once.</source>
        <translation>紧凑模式可以一次显示更多内容。</translation>
    </message>
    <message>
        <source>density compact roomy</source>
        <translation>密度 紧凑 宽松</translation>
    </message>
    <message>
        <source>Text width</source>
        <translation>文字宽度</translation>
    </message>
    <message>
        <source>Turns off animations. Always off when the system asks for it.</source>
        <translation>关闭动画效果。系统要求减少动画时始终关闭。</translation>
    </message>
    <message>
        <source>Text width in pixels</source>
        <translation>文字宽度（像素）</translation>
    </message>
    <message>
        <source>Same as system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>How wide a chat may get in a wide window.</source>
        <translation>窗口较宽时，对话内容的最大宽度。</translation>
    </message>
    <message>
        <source>column narrow full</source>
        <translation>栏宽 窄 宽 全宽</translation>
    </message>
    <message>
        <source>Less motion</source>
        <translation>减少动画</translation>
    </message>
    <message>
        <source>animation reduce</source>
        <translation>动画 动效 减弱</translation>
    </message>
    <message>
        <source>System notifications</source>
        <translation>系统通知</translation>
    </message>
    <message>
        <source>When an answer is ready or a question waits while you are in another window.</source>
        <translation>当你在其他窗口，而回答已完成或有问题等待答复时发出通知。</translation>
    </message>
    <message>
        <source>alerts messages background</source>
        <translation>提醒 消息 后台</translation>
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
        <source>Comfortable</source>
        <translation>宽松</translation>
    </message>
    <message>
        <source>Compact</source>
        <translation>紧凑</translation>
    </message>
    <message>
        <source>Narrow</source>
        <translation>窄</translation>
    </message>
    <message>
        <source>Standard</source>
        <translation>标准</translation>
    </message>
    <message>
        <source>Wide</source>
        <translation>宽</translation>
    </message>
    <message>
        <source>Full</source>
        <translation>全宽</translation>
    </message>
    <message>
        <source> pt</source>
        <comment>typographic points after a number</comment>
        <translation> 磅</translation>
    </message>
    <message>
        <source> px</source>
        <comment>pixels after a number</comment>
        <translation> 像素</translation>
    </message>
</context>
<context>
    <name>AppearancePresenter</name>
    <message>
        <source>Text size %1</source>
        <translation>字号 %1</translation>
    </message>
</context>
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
        <source>This chat has read what somebody else wrote: %1. Is this call what you want?</source>
        <translation>此对话读取了别人写的内容：%1。这次调用是你想要的吗？</translation>
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
        <source>Asked for by</source>
        <translation>提出请求的模型</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>No sandbox: the server runs it outside Threadwell</source>
        <translation>没有沙盒：由服务器在 Threadwell 之外运行</translation>
    </message>
    <message>
        <source>Allow for this chat</source>
        <translation>在此对话中允许</translation>
    </message>
    <message>
        <source>Refuse and say why…</source>
        <translation>拒绝并说明原因…</translation>
    </message>
    <message>
        <source>Why not, or what to do instead? The model is told. Ctrl+Enter refuses.</source>
        <translation>为什么拒绝，或者应该怎么做？内容会告诉模型。按 Ctrl+Enter 拒绝。</translation>
    </message>
    <message>
        <source>Why you refuse; the model is told</source>
        <translation>拒绝的原因；会告诉模型</translation>
    </message>
    <message>
        <source>Allow more, or not for ever…</source>
        <translation>更多范围，或限定期限…</translation>
    </message>
    <message>
        <source>Always for this</source>
        <translation>此范围内始终允许</translation>
    </message>
    <message>
        <source>A lasting permission covers %1.</source>
        <translation>权限将包括：%1。</translation>
    </message>
    <message>
        <source>“For this chat” covers exactly this command.</source>
        <translation>“在此对话中允许”只包括这一条完全相同的命令。</translation>
    </message>
    <message>
        <source>“For this chat” covers this tool with any arguments.</source>
        <translation>“在此对话中允许”包括这个工具的任何参数。</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详细信息</translation>
    </message>
    <message>
        <source>What the server says about this tool (not verified)</source>
        <translation>服务器对这个工具的说明（未经核实）</translation>
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
        <source>Scroll through the red warnings first. Only then can it be allowed.</source>
        <translation>请先把红色警告全部看完，然后才能允许。</translation>
    </message>
    <message>
        <source>Other arguments</source>
        <translation>其他参数</translation>
    </message>
    <message>
        <source>No sandbox: it runs with all your rights</source>
        <translation>没有沙盒：它会以你的全部权限运行</translation>
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
        <source>“Always” covers exactly this text in this folder.</source>
        <translation>“始终允许”只包括这个文件夹里完全相同的这段文字。</translation>
    </message>
    <message>
        <source>“Always” covers exactly these arguments.</source>
        <translation>“始终允许”只包括完全相同的这些参数。</translation>
    </message>
</context>
<context>
    <name>ArchivePage</name>
    <message>
        <source>Archive</source>
        <translation>归档</translation>
    </message>
    <message>
        <source>These chats are kept and found by the search. A new message brings a chat back.</source>
        <translation>这些对话会保留，也能搜索到。发送新消息后，对话会回到列表。</translation>
    </message>
    <message>
        <source>The archive is empty</source>
        <translation>归档中没有对话</translation>
    </message>
    <message>
        <source>Bring back</source>
        <translation>放回列表</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Bring the selected chats back to the list</source>
        <translation>把选中的对话放回列表</translation>
    </message>
    <message>
        <source>Delete the selected chats</source>
        <translation>删除选中的对话</translation>
    </message>
    <message>
        <source>Archived chats</source>
        <translation>已归档的对话</translation>
    </message>
</context>
<context>
    <name>ArgumentForm</name>
    <message>
        <source>The server %1 needs this from you.</source>
        <translation>服务器 %1 需要你填写这些内容。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Attach</source>
        <translation>添加附件</translation>
    </message>
    <message>
        <source>Insert</source>
        <translation>插入</translation>
    </message>
</context>
<context>
    <name>ArrangingPresenter</name>
    <message numerus="yes">
        <source>%n chats pinned</source>
        <translation>
            <numerusform>已置顶 %n 个对话</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chats unpinned</source>
        <translation>
            <numerusform>已取消置顶 %n 个对话</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chats archived</source>
        <translation>
            <numerusform>已归档 %n 个对话</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chats brought back</source>
        <translation>
            <numerusform>已放回 %n 个对话</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chats moved</source>
        <translation>
            <numerusform>已移动 %n 个对话</numerusform>
        </translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>New folder</source>
        <translation>新建文件夹</translation>
    </message>
    <message>
        <source>Folder “%1” deleted, its chats are kept</source>
        <translation>文件夹“%1”已删除，其中的对话已保留</translation>
    </message>
</context>
<context>
    <name>AskModelDialog</name>
    <message>
        <source>Let a server use your model?</source>
        <translation>让服务器使用你的模型吗？</translation>
    </message>
    <message>
        <source>A server wants to use your model</source>
        <translation>有服务器想使用你的模型</translation>
    </message>
    <message>
        <source>It also asked for what is said in the chat. No server is given that.</source>
        <translation>它还想要对话里的内容。任何服务器都得不到这些内容。</translation>
    </message>
    <message>
        <source>Refuse</source>
        <translation>拒绝</translation>
    </message>
    <message>
        <source>Allow, and show me the answer</source>
        <translation>允许，并先给我看回答</translation>
    </message>
    <message>
        <source>Allow and send at once</source>
        <translation>允许并立即发送</translation>
    </message>
    <message>
        <source>The model gets this text and nothing of the chat. The server gets the answer: at once, or after you have seen it.</source>
        <translation>模型只会收到这段文字，收不到对话内容。服务器会得到回答：立即得到，或在你看过之后得到。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln tokens</source>
        <translation>
            <numerusform>%Ln 个 token</numerusform>
        </translation>
    </message>
    <message>
        <source>{most} (the server asked for {asked})</source>
        <translation>{most}（服务器想要 {asked}）</translation>
    </message>
    <message numerus="yes">
        <source>About %Ln tokens</source>
        <translation>
            <numerusform>约 %Ln 个 token</numerusform>
        </translation>
    </message>
    <message>
        <source>Who answers</source>
        <translation>由谁回答</translation>
    </message>
    <message>
        <source>It reads</source>
        <translation>读入</translation>
    </message>
    <message>
        <source>Longest answer</source>
        <translation>回答最长</translation>
    </message>
    <message>
        <source>At most {cost}</source>
        <translation>最多 {cost}</translation>
    </message>
    <message>
        <source>Costs you</source>
        <translation>你的费用</translation>
    </message>
    <message>
        <source>Instructions for the model, by the server</source>
        <translation>服务器给模型的指示</translation>
    </message>
    <message>
        <source>Message {number}, as if you had written it</source>
        <translation>消息 {number}，以你的名义写的</translation>
    </message>
    <message>
        <source>Message {number}, as if the model had written it</source>
        <translation>消息 {number}，以模型的名义写的</translation>
    </message>
    <message>
        <source>The answer is cut where one of these comes</source>
        <translation>出现以下任一内容时，回答会在那里截断</translation>
    </message>
</context>
<context>
    <name>AssistantButton</name>
    <message>
        <source>No assistant</source>
        <translation>不用助手</translation>
    </message>
    <message>
        <source>Choose an assistant for this chat</source>
        <translation>为这个对话选择助手</translation>
    </message>
    <message>
        <source>%1 (deleted)</source>
        <translation>%1（已删除）</translation>
    </message>
    <message>
        <source>This assistant was deleted. The chat goes on with it as it was, until you choose another one.</source>
        <translation>这个助手已被删除。对话会按它原来的样子继续，直到你选择别的助手。</translation>
    </message>
    <message>
        <source>The assistant of this chat</source>
        <translation>这个对话的助手</translation>
    </message>
    <message>
        <source>Assistant: %1</source>
        <translation>助手：%1</translation>
    </message>
    <message>
        <source>New assistant…</source>
        <translation>新建助手…</translation>
    </message>
    <message>
        <source>All assistants…</source>
        <translation>全部助手…</translation>
    </message>
</context>
<context>
    <name>AssistantEditDialog</name>
    <message>
        <source>Another assistant has this name. Choose a different one.</source>
        <translation>已有助手叫这个名字，请换一个。</translation>
    </message>
    <message>
        <source>There is no room for more assistants. Delete some that you no longer need.</source>
        <translation>助手已满。请删除一些不再需要的。</translation>
    </message>
    <message>
        <source>Too long: %1 of at most %2 characters.</source>
        <translation>太长：%1 个字符，最多 %2 个。</translation>
    </message>
    <message>
        <source>Not saved yet.</source>
        <translation>尚未保存。</translation>
    </message>
    <message>
        <source>New assistant</source>
        <translation>新建助手</translation>
    </message>
    <message>
        <source>Edit the assistant</source>
        <translation>编辑助手</translation>
    </message>
    <message>
        <source>Working together</source>
        <translation>协作</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>What it is for</source>
        <translation>用途</translation>
    </message>
    <message>
        <source>For you, and for other assistants that may ask it.</source>
        <translation>给你看，也给可以请它帮忙的其他助手看。</translation>
    </message>
    <message>
        <source>Instructions</source>
        <translation>指令</translation>
    </message>
    <message>
        <source>Empty: those of the settings. A chat&apos;s own instructions go before them.</source>
        <translation>留空则使用设置中的指令。对话自己的指令优先。</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>A chat takes it over when you choose the assistant there.</source>
        <translation>在对话中选择这个助手时，对话就改用这个模型。</translation>
    </message>
    <message>
        <source>All tools</source>
        <translation>全部工具</translation>
    </message>
    <message>
        <source>Off: only those that you tick. Your rules and questions hold in any case.</source>
        <translation>关闭时只能用勾选的工具。你的规则和询问始终有效。</translation>
    </message>
    <message>
        <source>Only these tools</source>
        <translation>只能用这些工具</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>记忆</translation>
    </message>
    <message>
        <source>What its answers are told of earlier chats; never more than in the settings.</source>
        <translation>回答时能知道以前对话的哪些内容；不会超过设置中允许的范围。</translation>
    </message>
    <message>
        <source>May ask these assistants</source>
        <translation>可以请这些助手帮忙</translation>
    </message>
    <message>
        <source>Each works by itself, with its own model, instructions and tools. What it does stands in the card.</source>
        <translation>每个助手用自己的模型、指令和工具独立工作，过程显示在卡片里。</translation>
    </message>
    <message>
        <source>Steps, when another one asks it</source>
        <translation>被请去帮忙时的步数上限</translation>
    </message>
    <message>
        <source>Tokens, when another one asks it</source>
        <translation>被请去帮忙时的 token 上限</translation>
    </message>
    <message>
        <source>Seconds, when another one asks it</source>
        <translation>被请去帮忙时的秒数上限</translation>
    </message>
    <message>
        <source>Time in which it waits for you does not count.</source>
        <translation>等你回复的时间不计在内。</translation>
    </message>
    <message>
        <source>The one of the chat</source>
        <translation>对话所用的模型</translation>
    </message>
    <message>
        <source>For example: Researcher</source>
        <translation>例如：研究员</translation>
    </message>
    <message>
        <source>For example: finds and compares sources</source>
        <translation>例如：查找并比较资料来源</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
</context>
<context>
    <name>AssistantPage</name>
    <message>
        <source>This is a file. Choose a folder.</source>
        <translation>这是一个文件。请选择文件夹。</translation>
    </message>
    <message>
        <source>Assistant</source>
        <translation>助手</translation>
    </message>
    <message>
        <source>How the model is asked to answer, in every chat.</source>
        <translation>希望模型在所有对话中如何回答。</translation>
    </message>
    <message>
        <source>Instructions</source>
        <translation>指令</translation>
    </message>
    <message>
        <source>Answers</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>For example: Answer briefly. My name is Lin.</source>
        <translation>例如：请简短回答。我叫小林。</translation>
    </message>
    <message>
        <source>Instructions for every chat</source>
        <translation>所有对话的指令</translation>
    </message>
    <message>
        <source>Sent before each chat. A chat can have its own instead.</source>
        <translation>在每个对话开始前发送。单个对话也可以改用自己的指令。</translation>
    </message>
    <message>
        <source>Below 1, unlikely words are left out. Change this or the temperature, not both.</source>
        <translation>小于 1 时会略去可能性低的词。它和温度只调整其中一个，不要同时更改。</translation>
    </message>
    <message>
        <source>Maximum length</source>
        <translation>长度上限</translation>
    </message>
    <message>
        <source>Let the model name new chats</source>
        <translation>让模型为新对话命名</translation>
    </message>
    <message>
        <source>After the first answer it is asked for a title: one more short request. Off: the question is the title.</source>
        <translation>首次回答后会再发送一个简短的请求来生成标题。关闭：以你的问题作为标题。</translation>
    </message>
    <message>
        <source>title automatic</source>
        <translation>标题 自动 命名 title</translation>
    </message>
    <message>
        <source>Steps per answer</source>
        <translation>每次回答的步数</translation>
    </message>
    <message>
        <source>How many times the model may use tools before it must stop.</source>
        <translation>模型最多可以使用多少次工具，之后必须停下。</translation>
    </message>
    <message>
        <source>Commands run here. The folder is created when it is first needed.</source>
        <translation>命令在这里运行。首次需要时会创建这个文件夹。</translation>
    </message>
    <message>
        <source>Use the default</source>
        <translation>恢复默认</translation>
    </message>
    <message>
        <source>%1 A chat can have its own way instead.</source>
        <translation>%1单个对话也可以改用别的方式。</translation>
    </message>
    <message>
        <source>Permissions of tools</source>
        <translation>工具的权限</translation>
    </message>
    <message>
        <source>ask approve mode sandbox read only</source>
        <translation>询问 批准 模式 沙盒 只读 sandbox</translation>
    </message>
    <message>
        <source>system prompt custom role</source>
        <translation>系统提示词 自定义 角色 system prompt</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>Low: steady and exact. High: varied and surprising. Off: the model&apos;s own.</source>
        <translation>低：稳定、准确。高：多样、出人意料。关闭：使用模型自己的设置。</translation>
    </message>
    <message>
        <source>creativity randomness sampling</source>
        <translation>创造性 随机性 采样 temperature</translation>
    </message>
    <message>
        <source>Top-p</source>
        <translation>核采样（Top-p）</translation>
    </message>
    <message>
        <source>nucleus sampling probability</source>
        <translation>核采样 概率 采样 top-p</translation>
    </message>
    <message>
        <source>In tokens; a token is about three quarters of a word. Off: as long as the model likes.</source>
        <translation>以 token 计；一个 token 大约是一个汉字或四分之三个英文单词。关闭：长度由模型决定。</translation>
    </message>
    <message>
        <source>max tokens length limit</source>
        <translation>最大 长度 限制 max tokens</translation>
    </message>
    <message>
        <source>limit loop iterations tool calls</source>
        <translation>限制 循环 次数 工具调用</translation>
    </message>
    <message>
        <source>Working folder</source>
        <translation>工作文件夹</translation>
    </message>
    <message>
        <source>workspace directory path</source>
        <translation>工作区 目录 路径</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
</context>
<context>
    <name>AssistantsPage</name>
    <message>
        <source>Your assistants</source>
        <translation>我的助手</translation>
    </message>
    <message>
        <source>Instructions, a model, tools and a reach of memory under one name. Choose one below the message of a chat. One can ask another one, where you let it.</source>
        <translation>把指令、模型、工具和记忆范围放在一个名字下。在对话的输入框下方选择。经你允许，一个助手可以请另一个帮忙。</translation>
    </message>
    <message>
        <source>Make and exchange</source>
        <translation>新建与交换</translation>
    </message>
    <message>
        <source>A file of assistants names no models and no keys; nothing of yours is overwritten.</source>
        <translation>助手文件里没有模型和密钥；你已有的内容不会被覆盖。</translation>
    </message>
    <message>
        <source>agent role persona helper</source>
        <translation>智能体 角色 人设 帮手</translation>
    </message>
    <message>
        <source>New assistant…</source>
        <translation>新建助手…</translation>
    </message>
    <message>
        <source>Import…</source>
        <translation>导入…</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>编辑…</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>复制一份</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>上移</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>下移</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Add examples</source>
        <translation>添加示例</translation>
    </message>
    <message>
        <source>No assistants yet</source>
        <translation>还没有助手</translation>
    </message>
    <message>
        <source>Make your own, or begin with a few examples that work together.</source>
        <translation>自己做一个，或从几个会协作的示例开始。</translation>
    </message>
</context>
<context>
    <name>AssistantsPresenter</name>
    <message>
        <source>There is no room for more assistants</source>
        <translation>助手已满</translation>
    </message>
    <message>
        <source>Delete assistants that you no longer need, then try again.</source>
        <translation>请删除不再需要的助手，然后重试。</translation>
    </message>
    <message>
        <source>“%1” was deleted</source>
        <translation>“%1”已删除</translation>
    </message>
    <message numerus="yes">
        <source>%n assistants were deleted</source>
        <translation>
            <numerusform>已删除 %n 个助手</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chats go on with it as it was</source>
        <translation>
            <numerusform>%n 个对话会按原样继续使用它</numerusform>
        </translation>
    </message>
    <message>
        <source>Import assistants</source>
        <translation>导入助手</translation>
    </message>
    <message>
        <source>Assistants (*.json)</source>
        <translation>助手 (*.json)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message numerus="yes">
        <source>%n assistants added</source>
        <translation>
            <numerusform>已添加 %n 个助手</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n were there already</source>
        <translation>
            <numerusform>%n 个已经有了</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>For %n there was no room</source>
        <translation>
            <numerusform>%n 个放不下</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n could not be read</source>
        <translation>
            <numerusform>%n 个无法读取</numerusform>
        </translation>
    </message>
    <message>
        <source>“%1” is too large. Split it, and import the parts.</source>
        <translation>“%1”太大。请拆开后分别导入。</translation>
    </message>
    <message>
        <source>“%1” is incomplete or damaged. Export the assistants once more.</source>
        <translation>“%1”不完整或已损坏。请重新导出助手。</translation>
    </message>
    <message>
        <source>“%1” was written by a newer version of this program. Update this one, then try again.</source>
        <translation>“%1”由更新版本的程序写成。请先更新本程序，再试一次。</translation>
    </message>
    <message>
        <source>In “%1” there are no assistants. Choose a file that this page has exported.</source>
        <translation>“%1”里没有助手。请选择由本页导出的文件。</translation>
    </message>
    <message>
        <source>No assistants were imported</source>
        <translation>没有导入助手</translation>
    </message>
    <message>
        <source>Export assistants</source>
        <translation>导出助手</translation>
    </message>
    <message numerus="yes">
        <source>%n assistants exported to %1</source>
        <translation>
            <numerusform>已将 %n 个助手导出到 %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>AttachedChip</name>
    <message>
        <source>Being read…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>This model cannot see images</source>
        <translation>这个模型不支持图片</translation>
    </message>
    <message>
        <source>Show: %1</source>
        <translation>查看：%1</translation>
    </message>
    <message>
        <source>Remove the file: %1</source>
        <translation>移除文件：%1</translation>
    </message>
</context>
<context>
    <name>AttachedFiles</name>
    <message>
        <source>Attach files</source>
        <translation>添加附件</translation>
    </message>
    <message>
        <source>Attach images, text files or PDFs</source>
        <translation>添加图片、文本文件或 PDF</translation>
    </message>
</context>
<context>
    <name>AttachmentPresenter</name>
    <message>
        <source>Pasted picture</source>
        <translation>粘贴的图片</translation>
    </message>
    <message>
        <source>At most %1 files go with one message. Send these first.</source>
        <translation>一条消息最多附带 %1 个文件。请先发送这些文件。</translation>
    </message>
    <message>
        <source>Attach files</source>
        <translation>添加附件</translation>
    </message>
    <message>
        <source>This picture cannot be opened.</source>
        <translation>无法打开这张图片。</translation>
    </message>
</context>
<context>
    <name>Attachments</name>
    <message>
        <source>only the first %1 of %2 pages are sent, {size}</source>
        <translation>共 %2 页，只发送前 %1 页，{size}</translation>
    </message>
    <message>
        <source>1 page, {size}</source>
        <translation>1 页，{size}</translation>
    </message>
    <message>
        <source>%Ln pages, {size}</source>
        <translation>%Ln 页，{size}</translation>
    </message>
</context>
<context>
    <name>BackupPart</name>
    <message>
        <source>Backup</source>
        <translation>备份</translation>
    </message>
    <message>
        <source>Back up now</source>
        <translation>立即备份</translation>
    </message>
    <message>
        <source>Chats, memories, files and settings, checked and in one file. Keys and passwords are not in it.</source>
        <translation>对话、记忆、文件和设置都在一个经过检查的文件里，不含密钥和密码。</translation>
    </message>
    <message>
        <source>copy save safety archive</source>
        <translation>副本 保存 安全 存档</translation>
    </message>
    <message>
        <source>Daily backup</source>
        <translation>每日备份</translation>
    </message>
    <message>
        <source>While Threadwell is open, once a day and when nothing is going on. It is off at first, because a backup keeps what you delete for good later.</source>
        <translation>Threadwell 打开期间，每天在空闲时备份一次。默认关闭，因为备份会保留你之后彻底删除的内容。</translation>
    </message>
    <message>
        <source>automatic every day</source>
        <translation>自动 每天</translation>
    </message>
    <message>
        <source>Any folder, also one that is synced.</source>
        <translation>可以是任何文件夹，也可以是同步文件夹。</translation>
    </message>
    <message>
        <source>A folder on a WebDAV server.</source>
        <translation>WebDAV 服务器上的文件夹。</translation>
    </message>
    <message>
        <source>Backups go to</source>
        <translation>备份位置</translation>
    </message>
    <message>
        <source>folder cloud webdav nextcloud</source>
        <translation>文件夹 云 网盘 webdav nextcloud</translation>
    </message>
    <message>
        <source>Choose a folder…</source>
        <translation>选择文件夹…</translation>
    </message>
    <message>
        <source>The usual folder</source>
        <translation>默认文件夹</translation>
    </message>
    <message>
        <source>WebDAV…</source>
        <translation>WebDAV 服务器…</translation>
    </message>
    <message>
        <source>Daily backups to keep</source>
        <translation>保留的每日备份</translation>
    </message>
    <message>
        <source>One for each of so many days, then one for each of so many weeks. No other file is ever deleted.</source>
        <translation>最近若干天每天保留一份，之前若干周每周保留一份。绝不会删除其他文件。</translation>
    </message>
    <message>
        <source>rotation number old</source>
        <translation>轮换 数量 旧</translation>
    </message>
    <message numerus="yes">
        <source> days</source>
        <translation>
            <numerusform> 天</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source> weeks</source>
        <translation>
            <numerusform> 周</numerusform>
        </translation>
    </message>
    <message>
        <source>Days for which a backup is kept</source>
        <translation>每日备份保留的天数</translation>
    </message>
    <message>
        <source>Weeks for which a backup is kept</source>
        <translation>每周备份保留的周数</translation>
    </message>
    <message>
        <source>Looks at a backup first and says what would change. What is here can be kept.</source>
        <translation>先查看备份并说明会有什么变化。现有内容可以保留。</translation>
    </message>
    <message>
        <source>A backup takes the place of your library when Threadwell starts next.</source>
        <translation>下次启动 Threadwell 时，备份将取代现有数据。</translation>
    </message>
    <message>
        <source>Restore a backup</source>
        <translation>恢复备份</translation>
    </message>
    <message>
        <source>recover undo lost back</source>
        <translation>恢复 撤销 丢失 找回</translation>
    </message>
    <message>
        <source>Check the library</source>
        <translation>检查数据</translation>
    </message>
    <message>
        <source>Looks through the database, its indexes and your files, and mends what can be made again.</source>
        <translation>检查数据库、索引和文件，并修复可以重建的部分。</translation>
    </message>
    <message>
        <source>integrity damage repair</source>
        <translation>完整性 损坏 修复</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Stop the backup</source>
        <translation>停止备份</translation>
    </message>
    <message>
        <source>Show the file</source>
        <translation>显示文件</translation>
    </message>
    <message>
        <source>Show the last backup in its folder</source>
        <translation>在文件夹中显示最近的备份</translation>
    </message>
    <message>
        <source>Restore…</source>
        <translation>恢复…</translation>
    </message>
    <message>
        <source>Restart now</source>
        <translation>立即重启</translation>
    </message>
    <message>
        <source>Restart Threadwell with the restored library</source>
        <translation>重启 Threadwell 并使用恢复的数据</translation>
    </message>
    <message>
        <source>Do not restore</source>
        <translation>不恢复</translation>
    </message>
    <message>
        <source>Keep the library that is here</source>
        <translation>保留现有数据</translation>
    </message>
    <message>
        <source>Check now</source>
        <translation>立即检查</translation>
    </message>
</context>
<context>
    <name>BackupPresenter</name>
    <message>
        <source>Last backup: %1, %2, in %3</source>
        <translation>最近备份：%1，%2，位于 %3</translation>
    </message>
    <message>
        <source>Last backup</source>
        <translation>最近备份</translation>
    </message>
    <message>
        <source>The daily backup failed</source>
        <translation>每日备份失败</translation>
    </message>
    <message>
        <source>The backup is done: %1</source>
        <translation>备份完成：%1</translation>
    </message>
    <message>
        <source>The folder could not be opened</source>
        <translation>无法打开文件夹</translation>
    </message>
    <message>
        <source>No program is set for opening folders, or the folder is missing: %1</source>
        <translation>没有设置打开文件夹的程序，或文件夹不存在：%1</translation>
    </message>
    <message>
        <source>Where backups go</source>
        <translation>备份位置</translation>
    </message>
    <message>
        <source>Restore a backup</source>
        <translation>恢复备份</translation>
    </message>
    <message>
        <source>Backups (*%1)</source>
        <translation>备份 (*%1)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
</context>
<context>
    <name>BackupWording</name>
    <message>
        <source>Copying the database…</source>
        <translation>正在复制数据库…</translation>
    </message>
    <message>
        <source>Packing…</source>
        <translation>正在打包…</translation>
    </message>
    <message>
        <source>Checking…</source>
        <translation>正在检查…</translation>
    </message>
    <message>
        <source>Storing…</source>
        <translation>正在存储…</translation>
    </message>
    <message>
        <source>Fetching…</source>
        <translation>正在获取…</translation>
    </message>
    <message>
        <source>Reading and checking the backup…</source>
        <translation>正在读取并检查备份…</translation>
    </message>
    <message>
        <source>Adding what is missing…</source>
        <translation>正在添加缺少的内容…</translation>
    </message>
    <message numerus="yes">
        <source>%Ln chats</source>
        <translation>
            <numerusform>%Ln 个对话</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln messages</source>
        <translation>
            <numerusform>%Ln 条消息</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln memories</source>
        <translation>
            <numerusform>%Ln 条记忆</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln files</source>
        <translation>
            <numerusform>%Ln 个文件</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln documents</source>
        <translation>
            <numerusform>%Ln 份资料</numerusform>
        </translation>
    </message>
    <message>
        <source>made by hand</source>
        <translation>手动备份</translation>
    </message>
    <message>
        <source>daily</source>
        <translation>每日备份</translation>
    </message>
    <message>
        <source>before a restore</source>
        <translation>恢复前的备份</translation>
    </message>
    <message>
        <source>from elsewhere</source>
        <translation>其他来源</translation>
    </message>
    <message numerus="yes">
        <source>%Ln chats were added</source>
        <translation>
            <numerusform>添加了 %Ln 个对话</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln chats got what was missing</source>
        <translation>
            <numerusform>补全了 %Ln 个对话</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln messages in all</source>
        <translation>
            <numerusform>共 %Ln 条消息</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln memories were added</source>
        <translation>
            <numerusform>添加了 %Ln 条记忆</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln assistants were added</source>
        <translation>
            <numerusform>添加了 %Ln 个助手</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln chats were here already</source>
        <translation>
            <numerusform>%Ln 个对话本来就有</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln folders of the list were added</source>
        <translation>
            <numerusform>添加了 %Ln 个列表文件夹</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln prompts were added</source>
        <translation>
            <numerusform>添加了 %Ln 条提示词</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln files or folders were added as knowledge</source>
        <translation>
            <numerusform>添加了 %Ln 个文件或文件夹作为资料</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln prompts found no room in the library</source>
        <translation>
            <numerusform>提示词库已满，%Ln 条未能添加</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln chats could not be added</source>
        <translation>
            <numerusform>%Ln 个对话无法添加</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln memories stay forgotten</source>
        <translation>
            <numerusform>%Ln 条记忆保持忘记</numerusform>
        </translation>
    </message>
    <message>
        <source>There was nothing to add.</source>
        <translation>没有需要添加的内容。</translation>
    </message>
    <message>
        <source>Everything is sound.</source>
        <translation>一切正常。</translation>
    </message>
    <message>
        <source>Indexes of the database were wrong and were made anew.</source>
        <translation>数据库索引有误，已重建。</translation>
    </message>
    <message>
        <source>Entries that belonged to nothing were mended; words among them have a chat now.</source>
        <translation>修复了无所归属的条目；其中的文字现在放在一个对话里。</translation>
    </message>
    <message>
        <source>The search by words was wrong and is made anew.</source>
        <translation>文字搜索索引有误，正在重建。</translation>
    </message>
    <message>
        <source>The search by meaning did not agree with the chats; it is brought up to date.</source>
        <translation>语义搜索与对话不一致，正在更新。</translation>
    </message>
    <message>
        <source>Something was wrong and was mended.</source>
        <translation>有问题，已修复。</translation>
    </message>
    <message>
        <source>The database is damaged. Start Threadwell again: it saves what can be read, and keeps the damaged file.</source>
        <translation>数据库已损坏。请重新启动 Threadwell：它会抢救还能读取的内容，并保留损坏的文件。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln entries belong to nothing any more.</source>
        <translation>
            <numerusform>%Ln 条记录已无归属。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln attached files are missing. A backup may still have them.</source>
        <translation>
            <numerusform>缺少 %Ln 个附件。备份中可能还有。</numerusform>
        </translation>
    </message>
    <message>
        <source>The search by meaning could not be checked now.</source>
        <translation>现在无法检查语义搜索。</translation>
    </message>
</context>
<context>
    <name>BranchMapDialog</name>
    <message>
        <source>Map of branches</source>
        <translation>分支图</translation>
    </message>
    <message>
        <source>Unfold all</source>
        <translation>全部展开</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message numerus="yes">
        <source>%n ways through this chat. What is shown now has a dot; click a line to go there.</source>
        <translation>
            <numerusform>这个对话有 %n 条路径。当前显示的带有圆点；点击一行即可前往。</numerusform>
        </translation>
    </message>
    <message>
        <source>One way through this chat. Change a message or ask for another answer to begin a further one.</source>
        <translation>这个对话只有一条路径。修改一条消息或要求另一个回答，就会开始新的路径。</translation>
    </message>
    <message numerus="yes">
        <source>%n messages</source>
        <translation>
            <numerusform>%n 条消息</numerusform>
        </translation>
    </message>
    <message>
        <source>You</source>
        <translation>你</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>being written…</source>
        <translation>正在写…</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>stopped before its first word</source>
        <translation>尚未写出内容就已停止</translation>
    </message>
    <message>
        <source>no words</source>
        <translation>没有文字</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>第 %1/%2 个</translation>
    </message>
    <message>
        <source>shown now</source>
        <translation>当前显示</translation>
    </message>
    <message>
        <source>on another way</source>
        <translation>在另一条路径上</translation>
    </message>
</context>
<context>
    <name>BranchesPresenter</name>
    <message>
        <source>A temporary chat cannot be branched. Keep it first.</source>
        <translation>临时对话不能建立分支。请先保留它。</translation>
    </message>
    <message>
        <source>%1 (branch)</source>
        <translation>%1（分支）</translation>
    </message>
    <message>
        <source>This is a chat of its own now; the other one stays as it was.</source>
        <translation>这是一个独立的对话；原来的对话保持不变。</translation>
    </message>
    <message>
        <source>The change was given up; the message is as it was</source>
        <translation>已放弃修改；消息保持原样</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
</context>
<context>
    <name>BubbleFold</name>
    <message>
        <source>Show less</source>
        <translation>收起</translation>
    </message>
    <message numerus="yes">
        <source>Show all %Ln lines</source>
        <translation>
            <numerusform>展开全部 %Ln 行</numerusform>
        </translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>展开全部</translation>
    </message>
</context>
<context>
    <name>CatalogueDialog</name>
    <message>
        <source>Catalogue</source>
        <translation>目录</translation>
    </message>
    <message>
        <source>Well-known servers in a version that was looked at. You see the exact line before anything is fetched or started.</source>
        <translation>知名的服务器，版本都经过查看。下载或启动任何内容之前，你都会先看到完整的命令。</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Add another…</source>
        <translation>再添加一个…</translation>
    </message>
    <message>
        <source>Add…</source>
        <translation>添加…</translation>
    </message>
    <message>
        <source>Needs Node.</source>
        <translation>需要 Node。</translation>
    </message>
    <message>
        <source>It is not on this computer yet.</source>
        <translation>这台电脑上还没有。</translation>
    </message>
    <message>
        <source>Runs on a server of its maker.</source>
        <translation>在开发者的服务器上运行。</translation>
    </message>
</context>
<context>
    <name>ChangesDialog</name>
    <message>
        <source>The server describes these in another way than when you accepted them, or they are new. The model does not get them until you decide. The words in the boxes are the server&apos;s, not Threadwell&apos;s.</source>
        <translation>这些工具是新的，或者服务器对它们的描述与你接受时不同。在你决定之前，模型不会得到它们。框中的文字来自服务器，不是 Threadwell 写的。</translation>
    </message>
    <message numerus="yes">
        <source>%n more follow.</source>
        <translation>
            <numerusform>后面还有 %n 个。</numerusform>
        </translation>
    </message>
    <message>
        <source>Changed tools of “%1”</source>
        <translation>“%1”中有变化的工具</translation>
    </message>
    <message>
        <source>Nothing waits for you here any more.</source>
        <translation>这里没有等待你处理的内容了。</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message numerus="yes">
        <source>Accept all %n shown</source>
        <translation>
            <numerusform>接受显示的 %n 个</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ChatImportDialog</name>
    <message>
        <source>Import of chats</source>
        <translation>对话导入结果</translation>
    </message>
    <message>
        <source>Import chats</source>
        <translation>导入对话</translation>
    </message>
    <message>
        <source>What became of each chat</source>
        <translation>每个对话的导入情况</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Exports of Threadwell, ChatGPT, Claude, Cherry Studio and Open WebUI can be imported, and the conversations of LM Studio. Nothing that is here is changed: chats that are here already are recognised, and what they have in addition is added.</source>
        <translation>可以导入 Threadwell、ChatGPT、Claude、Cherry Studio 和 Open WebUI 的导出文件，以及 LM Studio 的对话。这里已有的内容不会改变：已有的对话会被认出来，只补上多出的部分。</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>导入</translation>
    </message>
    <message>
        <source>Reading the file…</source>
        <translation>正在读取文件…</translation>
    </message>
    <message>
        <source>You can stop at any time. What was imported by then stays, each chat whole.</source>
        <translation>可以随时停止。已经导入的会保留，每个对话都是完整的。</translation>
    </message>
    <message>
        <source>You stopped the import. What had been imported by then is here, each chat whole.</source>
        <translation>你停止了导入。在此之前导入的都已保留，每个对话都是完整的。</translation>
    </message>
    <message>
        <source>A double-click or Enter opens a chat of this list.</source>
        <translation>双击或按 Enter 可打开列表中的对话。</translation>
    </message>
    <message>
        <source>Nothing was imported.</source>
        <translation>没有导入任何内容。</translation>
    </message>
</context>
<context>
    <name>ChatsPage</name>
    <message>
        <source>Chats</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>No chats yet</source>
        <translation>还没有对话</translation>
    </message>
    <message>
        <source>What you write appears here.</source>
        <translation>你写的内容会出现在这里。</translation>
    </message>
    <message>
        <source>Reading the chats…</source>
        <translation>正在读取对话…</translation>
    </message>
</context>
<context>
    <name>CheckResult</name>
    <message>
        <source>Asking %1…</source>
        <translation>正在询问 %1…</translation>
    </message>
    <message>
        <source>Answer: “%1”</source>
        <translation>回答：“%1”</translation>
    </message>
    <message>
        <source>%1 answered in %2 s</source>
        <translation>%1 用 %2 秒作出了回答</translation>
    </message>
    <message>
        <source>The model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Start anyway</source>
        <translation>仍然开始</translation>
    </message>
    <message>
        <source>Choose one of its models</source>
        <translation>从它的模型中选择</translation>
    </message>
    <message>
        <source>Enter the key</source>
        <translation>输入密钥</translation>
    </message>
</context>
<context>
    <name>ClearButton</name>
    <message>
        <source>Empty the field</source>
        <translation>清空</translation>
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
    <message>
        <source>Wrap long lines</source>
        <translation>长行自动换行</translation>
    </message>
    <message>
        <source>Save code as a file</source>
        <translation>将代码保存为文件</translation>
    </message>
</context>
<context>
    <name>ComparisonPage</name>
    <message>
        <source>Answers side by side</source>
        <translation>并排的回答</translation>
    </message>
    <message>
        <source>Back to the chat</source>
        <translation>返回对话</translation>
    </message>
    <message>
        <source>Answers</source>
        <translation>回答</translation>
    </message>
</context>
<context>
    <name>ComparisonPresenter</name>
    <message>
        <source>The answer from {model} failed</source>
        <translation>{model} 回答失败</translation>
    </message>
    <message>
        <source>The answer from {model} was stopped</source>
        <translation>{model} 的回答已停止</translation>
    </message>
    <message>
        <source>The answer from {model} is finished</source>
        <translation>{model} 回答完毕</translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>A file is still being read. Send the message when that is done.</source>
        <translation>还有文件正在读取。请等读取完成后再发送消息。</translation>
    </message>
    <message>
        <source>Nothing was pasted: the message would have %1, and at most %2 can be sent.</source>
        <translation>没有粘贴：消息会达到 %1，而最多只能发送 %2。</translation>
    </message>
    <message>
        <source>This message has %1, and at most %2 can be sent. Shorten it, or send it in parts.</source>
        <translation>这条消息有 %1，而最多只能发送 %2。请缩短内容，或分几次发送。</translation>
    </message>
    <message>
        <source>Pasted text</source>
        <translation>粘贴的文本</translation>
    </message>
    <message>
        <source>This text has a line that is too long for the message field. It can be sent as it is.</source>
        <translation>这段文字有一行太长，无法放进输入框，但可以原样发送。</translation>
    </message>
    <message>
        <source>Message — %1 to send, %2 for a new line</source>
        <translation>输入消息 — 按 %1 发送，%2 换行</translation>
    </message>
</context>
<context>
    <name>ContextMeter</name>
    <message>
        <source>Context: about %1 tokens</source>
        <translation>上下文：约 %1 个 token</translation>
    </message>
    <message>
        <source>How much this model can read is not known. You can enter it in the model&apos;s settings.</source>
        <translation>不清楚这个模型的上下文长度。可以在模型设置中填写。</translation>
    </message>
    <message>
        <source>Context: %1 % of %2</source>
        <translation>上下文：已用 %1%（共 %2）</translation>
    </message>
    <message>
        <source>The next message, with what goes along, takes about %1 of %2 tokens.</source>
        <translation>下一条消息连同一并发送的内容，约占 %2 个 token 中的 %1 个。</translation>
    </message>
    <message>
        <source>It is filling up: when there is no more room, the oldest messages are left out.</source>
        <translation>上下文快满了：空间用完后，会略去最早的消息。</translation>
    </message>
    <message>
        <source>There is hardly any room: the oldest messages will be left out.</source>
        <translation>上下文几乎已满：将略去最早的消息。</translation>
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
    <name>DataPage</name>
    <message numerus="yes">
        <source>%Ln chats</source>
        <translation>
            <numerusform>%Ln 个对话</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln messages</source>
        <translation>
            <numerusform>%Ln 条消息</numerusform>
        </translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Your chats are stored on this computer.</source>
        <translation>你的对话保存在这台电脑上。</translation>
    </message>
    <message>
        <source>Location</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Export and import</source>
        <translation>导出与导入</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Usage</source>
        <translation>用量</translation>
    </message>
    <message>
        <source>Trash</source>
        <translation>回收站</translation>
    </message>
    <message>
        <source>Data folder</source>
        <translation>数据文件夹</translation>
    </message>
    <message>
        <source>Chats, settings and logs.</source>
        <translation>对话、设置和日志。</translation>
    </message>
    <message>
        <source>directory path location</source>
        <translation>目录 路径 位置</translation>
    </message>
    <message>
        <source>Logs</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>What the program did, without the text of your chats. Helpful for a bug report.</source>
        <translation>程序的运行记录，不含对话内容。报告问题时很有用。</translation>
    </message>
    <message>
        <source>log files errors</source>
        <translation>日志 文件 错误 log</translation>
    </message>
    <message>
        <source>Export chats</source>
        <translation>导出对话</translation>
    </message>
    <message>
        <source>As files to read, or complete, so that Threadwell can import them again.</source>
        <translation>导出为可阅读的文件，或完整导出，之后可以再导入 Threadwell。</translation>
    </message>
    <message>
        <source>markdown json html pdf zip backup save</source>
        <translation>markdown json html pdf zip 备份 保存 导出</translation>
    </message>
    <message>
        <source>Import chats</source>
        <translation>导入对话</translation>
    </message>
    <message>
        <source>From Threadwell, ChatGPT, Claude, Cherry Studio, Open WebUI, or the folder of LM Studio.</source>
        <translation>来自 Threadwell、ChatGPT、Claude、Cherry Studio、Open WebUI，或 LM Studio 的文件夹。</translation>
    </message>
    <message>
        <source>json zip move other apps</source>
        <translation>json zip 迁移 其他应用 导入</translation>
    </message>
    <message>
        <source>Export all…</source>
        <translation>全部导出…</translation>
    </message>
    <message>
        <source>Export all chats</source>
        <translation>导出全部对话</translation>
    </message>
    <message>
        <source>Import a file…</source>
        <translation>导入文件…</translation>
    </message>
    <message>
        <source>Import chats from a file</source>
        <translation>从文件导入对话</translation>
    </message>
    <message>
        <source>Import a folder…</source>
        <translation>导入文件夹…</translation>
    </message>
    <message>
        <source>Import chats from a folder</source>
        <translation>从文件夹导入对话</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>Chats</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>messages threads number</source>
        <translation>消息 对话 数量</translation>
    </message>
    <message>
        <source>Empty the Trash…</source>
        <translation>清空回收站…</translation>
    </message>
    <message>
        <source>Chats %1, their files %4, logs %2, and %3 in reserve, so that deleting works even on a full disk.</source>
        <translation>对话 %1，附件 %4，日志 %2；另外预留 %3，保证磁盘已满时仍能删除。</translation>
    </message>
    <message>
        <source>Size on disk</source>
        <translation>占用空间</translation>
    </message>
    <message>
        <source>megabytes storage space database</source>
        <translation>存储 空间 数据库 大小</translation>
    </message>
    <message numerus="yes">
        <source>%Ln chats in the Trash</source>
        <translation>
            <numerusform>回收站里有 %Ln 个对话</numerusform>
        </translation>
    </message>
    <message>
        <source>The Trash is empty</source>
        <translation>回收站是空的</translation>
    </message>
    <message numerus="yes">
        <source>Deleted chats stay for %n days, then they are deleted for good.</source>
        <translation>
            <numerusform>删除的对话保留 %n 天，之后会彻底删除。</numerusform>
        </translation>
    </message>
    <message>
        <source>delete purge remove bin</source>
        <translation>删除 清除 移除 回收站</translation>
    </message>
</context>
<context>
    <name>DataPresenter</name>
    <message>
        <source>The folder could not be opened</source>
        <translation>无法打开文件夹</translation>
    </message>
    <message>
        <source>No program is set for opening folders, or the folder is missing: %1</source>
        <translation>没有设置打开文件夹的程序，或者文件夹不存在：%1</translation>
    </message>
    <message numerus="yes">
        <source>Delete %Ln chats for good?</source>
        <translation>
            <numerusform>要彻底删除 %Ln 个对话吗？</numerusform>
        </translation>
    </message>
    <message>
        <source>All their text is removed from this computer. This cannot be undone.</source>
        <translation>它们的所有文字都会从这台电脑上清除，无法撤销。</translation>
    </message>
    <message>
        <source>Empty the Trash</source>
        <translation>清空回收站</translation>
    </message>
</context>
<context>
    <name>DemoCard</name>
    <message>
        <source>Demo model</source>
        <translation>演示模型</translation>
    </message>
    <message>
        <source>This is not a real model: its answers come from a script. It needs no key and no network, and shows everything that Threadwell can do.</source>
        <translation>这不是真实的模型：回答来自脚本。无需密钥，也不联网，可以展示 Threadwell 的全部功能。</translation>
    </message>
    <message>
        <source>Try it</source>
        <translation>试一试</translation>
    </message>
    <message>
        <source>Try the demo model</source>
        <translation>试用演示模型</translation>
    </message>
</context>
<context>
    <name>DetailView</name>
    <message>
        <source>Copy this text</source>
        <translation>复制这段文字</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>上一部分</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一部分</translation>
    </message>
    <message>
        <source>Go to where it comes from</source>
        <translation>转到来源</translation>
    </message>
    <message>
        <source>Part %1 of %2</source>
        <translation>第 %1 部分，共 %2 部分</translation>
    </message>
</context>
<context>
    <name>DiagnosisDialog</name>
    <message>
        <source>Diagnosis of “%1”</source>
        <translation>“%1”的诊断</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>Test a tool</source>
        <translation>测试工具</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>What it wrote last beside its messages</source>
        <translation>除消息之外最近写出的内容</translation>
    </message>
    <message>
        <source>It lists no tools now.</source>
        <translation>它现在没有列出工具。</translation>
    </message>
    <message>
        <source>The last messages to (→) and from (←) the server. Long values and keys are cut.</source>
        <translation>最近发给服务器（→）和来自服务器（←）的消息。过长的值和密钥已截断。</translation>
    </message>
    <message>
        <source>No message yet.</source>
        <translation>还没有消息。</translation>
    </message>
    <message>
        <source>Restart</source>
        <translation>重新启动</translation>
    </message>
    <message>
        <source>Copy as report</source>
        <translation>复制报告</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>DiagnosisPresenter</name>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>正在启动…</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>就绪</translation>
    </message>
    <message>
        <source>Stopped; starting again…</source>
        <translation>已停止，正在重新启动…</translation>
    </message>
    <message>
        <source>Needs a secret</source>
        <translation>需要机密</translation>
    </message>
    <message>
        <source>Needs sign-in</source>
        <translation>需要登录</translation>
    </message>
    <message>
        <source>Signing in: it goes on in your browser</source>
        <translation>正在登录：请在浏览器中继续</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Off, or waiting for you in the list of servers</source>
        <translation>已关闭，或在服务器列表中等待你处理</translation>
    </message>
    <message>
        <source>What went wrong</source>
        <translation>出错原因</translation>
    </message>
    <message>
        <source>What was noticed</source>
        <translation>注意到的情况</translation>
    </message>
    <message>
        <source>The exact address</source>
        <translation>完整地址</translation>
    </message>
    <message>
        <source>The exact command</source>
        <translation>完整的命令</translation>
    </message>
    <message>
        <source>No program was found, or it cannot be started</source>
        <translation>没有找到程序，或无法启动</translation>
    </message>
    <message>
        <source>Found at</source>
        <translation>程序位置</translation>
    </message>
    <message>
        <source>Not started yet</source>
        <translation>尚未启动</translation>
    </message>
    <message>
        <source>Leads to</source>
        <translation>指向</translation>
    </message>
    <message>
        <source>%1. It looks the address up: where that leads cannot be checked here.</source>
        <translation>%1。地址由它来解析：最终指向哪里，这里无法检查。</translation>
    </message>
    <message>
        <source>Through the proxy</source>
        <translation>经由代理</translation>
    </message>
    <message>
        <source>Process</source>
        <translation>进程</translation>
    </message>
    <message>
        <source>Last start</source>
        <translation>上次启动</translation>
    </message>
    <message>
        <source>Starts so far</source>
        <translation>启动次数</translation>
    </message>
    <message>
        <source>the newer era, without a handshake</source>
        <translation>新协议，无需握手</translation>
    </message>
    <message>
        <source>the older era</source>
        <translation>旧协议</translation>
    </message>
    <message>
        <source>Protocol</source>
        <translation>协议</translation>
    </message>
    <message>
        <source>It says that it is</source>
        <translation>它自称</translation>
    </message>
    <message>
        <source>It says that it can</source>
        <translation>它自称支持</translation>
    </message>
    <message>
        <source>Get ready</source>
        <translation>准备</translation>
    </message>
    <message>
        <source>Start the program</source>
        <translation>启动程序</translation>
    </message>
    <message>
        <source>Load Threadwell&apos;s own part</source>
        <translation>加载 Threadwell 自己的部分</translation>
    </message>
    <message>
        <source>Handshake</source>
        <translation>握手</translation>
    </message>
    <message>
        <source>List the tools</source>
        <translation>列出工具</translation>
    </message>
    <message>
        <source>not finished</source>
        <translation>没有完成</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>held until you have looked at its change</source>
        <translation>有变化，你查看之前不会使用</translation>
    </message>
    <message numerus="yes">
        <source>%n tools, %1 tokens in all. The number before each is what it takes of the model&apos;s memory with every message.</source>
        <translation>
            <numerusform>%n 个工具，共 %1 个 token。前面的数字是每条消息因它占用的上下文。</numerusform>
        </translation>
    </message>
    <message>
        <source>Running…</source>
        <translation>正在运行…</translation>
    </message>
    <message>
        <source>Test of “%1”</source>
        <translation>“%1”的测试</translation>
    </message>
    <message>
        <source>Waits for your answer…</source>
        <translation>等待你的答复…</translation>
    </message>
    <message>
        <source>Done in %1 s</source>
        <translation>完成，用时 %1 秒</translation>
    </message>
    <message>
        <source>Failed after %1 s</source>
        <translation>%1 秒后失败</translation>
    </message>
    <message>
        <source>Refused</source>
        <translation>已拒绝</translation>
    </message>
    <message>
        <source>Stopped at its time limit, after %1 s</source>
        <translation>已达时间限制，%1 秒后停止</translation>
    </message>
    <message numerus="yes">
        <source>%n items beside the text</source>
        <translation>
            <numerusform>除文字外还有 %n 项</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>DocumentRow</name>
    <message>
        <source>In the folder %1</source>
        <translation>在文件夹 %1 中</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Remove: %1</source>
        <translation>移除：%1</translation>
    </message>
    <message>
        <source>Read again</source>
        <translation>重新读取</translation>
    </message>
    <message>
        <source>Read again: %1</source>
        <translation>重新读取：%1</translation>
    </message>
    <message>
        <source>Show in its folder</source>
        <translation>在文件夹中显示</translation>
    </message>
    <message>
        <source>Show in its folder: %1</source>
        <translation>在文件夹中显示：%1</translation>
    </message>
    <message>
        <source>Open chat</source>
        <translation>打开对话</translation>
    </message>
    <message>
        <source>Open chat: %1</source>
        <translation>打开对话：%1</translation>
    </message>
</context>
<context>
    <name>Documents</name>
    <message>
        <source>%n could not be read</source>
        <translation>%n 个无法读取</translation>
    </message>
    <message>
        <source>Nothing in it can be read</source>
        <translation>其中没有可读取的内容</translation>
    </message>
    <message>
        <source>read %1</source>
        <translation>读取于 %1</translation>
    </message>
    <message>
        <source>Left out: %1.</source>
        <translation>已略过：%1。</translation>
    </message>
    <message>
        <source>%n hidden or made by programs</source>
        <translation>%n 个隐藏或由程序生成的项目</translation>
    </message>
    <message>
        <source>%n because there are too many</source>
        <translation>%n 个超出数量上限的文件</translation>
    </message>
    <message>
        <source>Files ready: %n</source>
        <translation>已就绪的文件：%n</translation>
    </message>
    <message>
        <source>gone: %n</source>
        <translation>已不在：%n</translation>
    </message>
    <message>
        <source>Files that are too long and were read in part: %n.</source>
        <translation>文件过长、只读取了一部分：%n 个。</translation>
    </message>
    <message>
        <source>%n of other kinds than documents, texts or code</source>
        <translation>%n 个不是文档、文本或代码</translation>
    </message>
    <message>
        <source>%n too large</source>
        <translation>%n 个过大</translation>
    </message>
    <message>
        <source>%n in folders that lie too deep</source>
        <translation>%n 个文件夹层级过深</translation>
    </message>
    <message>
        <source>%n as links to other places</source>
        <translation>%n 个指向别处的链接</translation>
    </message>
    <message>
        <source>%n that may not be opened</source>
        <translation>%n 个无权打开的项目</translation>
    </message>
    <message>
        <source>pages %1 to %2</source>
        <translation>第 %1 至 %2 页</translation>
    </message>
    <message>
        <source>page %1</source>
        <translation>第 %1 页</translation>
    </message>
    <message>
        <source>lines %1 to %2</source>
        <translation>第 %1 至 %2 行</translation>
    </message>
    <message>
        <source>line %1</source>
        <translation>第 %1 行</translation>
    </message>
    <message>
        <source>Being read: %1 of %2 files</source>
        <translation>正在读取：已读 %1 个文件，共 %2 个</translation>
    </message>
    <message>
        <source>Being read: page %1 of %2</source>
        <translation>正在读取：第 %1 页，共 %2 页</translation>
    </message>
    <message>
        <source>Changed, is read again…</source>
        <translation>已更改，正在重新读取…</translation>
    </message>
    <message>
        <source>Being read…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>Could not be read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>The file is gone</source>
        <translation>文件已不存在</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>就绪</translation>
    </message>
</context>
<context>
    <name>DocumentsPage</name>
    <message>
        <source>Documents</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>Files and folders whose content answers can draw on. They stay where they are, and are read again when they change. What belongs to a question goes to the model that answers it.</source>
        <translation>回答时可以参考的文件和文件夹。它们留在原处，有更改时会重新读取。与问题相关的部分会发送给回答它的模型。</translation>
    </message>
    <message>
        <source>For all chats</source>
        <translation>用于所有对话</translation>
    </message>
    <message>
        <source>For single chats</source>
        <translation>用于单个对话</translation>
    </message>
    <message>
        <source>Add documents</source>
        <translation>添加文档</translation>
    </message>
    <message>
        <source>PDF, Word, Markdown, text, web pages and code. Add some to one chat below its message.</source>
        <translation>支持 PDF、Word、Markdown、文本、网页和代码。如果只用于某个对话，请在它的输入框下方添加。</translation>
    </message>
    <message>
        <source>knowledge file folder</source>
        <translation>知识 资料 文件 文件夹 knowledge file folder</translation>
    </message>
    <message>
        <source>Add files…</source>
        <translation>添加文件…</translation>
    </message>
    <message>
        <source>Add a folder…</source>
        <translation>添加文件夹…</translation>
    </message>
    <message>
        <source>No documents yet</source>
        <translation>还没有文档</translation>
    </message>
</context>
<context>
    <name>DocumentsPresenter</name>
    <message>
        <source>New chat</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>“%1” is no longer used. The file itself stays.</source>
        <translation>已不再使用“%1”。文件本身仍会保留。</translation>
    </message>
    <message>
        <source>Its folder is gone.</source>
        <translation>它所在的文件夹已不存在。</translation>
    </message>
    <message>
        <source>Add a folder as knowledge</source>
        <translation>将文件夹添加为资料</translation>
    </message>
    <message>
        <source>Add files as knowledge</source>
        <translation>将文件添加为资料</translation>
    </message>
</context>
<context>
    <name>DropArea</name>
    <message>
        <source>Drop images, text files or PDFs here, or a folder as knowledge</source>
        <translation>将图片、文本文件或 PDF 拖放到这里，也可以拖入文件夹作为资料</translation>
    </message>
</context>
<context>
    <name>EditEndpointDialog</name>
    <message>
        <source>Edit model</source>
        <translation>编辑模型</translation>
    </message>
</context>
<context>
    <name>EditLine</name>
    <message>
        <source>You are changing a message. Sending it stops the answer that is being written; both stay.</source>
        <translation>正在修改一条消息。发送会停止正在写的回答；原来的两者都保留。</translation>
    </message>
    <message>
        <source>You are changing a message. It is sent anew; the one before stays with its answers.</source>
        <translation>正在修改一条消息。它会重新发送；原来的消息和回答都保留。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Give up the change</source>
        <translation>放弃修改</translation>
    </message>
</context>
<context>
    <name>EditMenu</name>
    <message>
        <source>Insert a prompt…</source>
        <translation>插入提示词…</translation>
    </message>
    <message>
        <source>Save as prompt…</source>
        <translation>保存为提示词…</translation>
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
        <source>Nothing was sent. Read the warning first, and tick its box if you want to send this.</source>
        <translation>还没有发送任何内容。请先看警告；如果确定要发送，请勾选它的选框。</translation>
    </message>
    <message>
        <source>Nothing was sent. Look at the marked fields.</source>
        <translation>还没有发送任何内容。请查看标出的栏目。</translation>
    </message>
    <message>
        <source>I know this server and want to send it anyway</source>
        <translation>我了解这个服务器，仍然要发送</translation>
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
</context>
<context>
    <name>EmptyState</name>
    <message>
        <source>Temporary chat</source>
        <translation>临时对话</translation>
    </message>
    <message>
        <source>It is told nothing of your other chats, and nothing of it is remembered. When you leave it, all of it is removed from this computer for good. What the model is sent is in the hands of whoever runs it.</source>
        <translation>它不会获知其他对话的任何内容，其中的内容也不会被记住。离开后，全部内容会从这台电脑上彻底移除。发送给模型的内容则由运行模型的一方掌握。</translation>
    </message>
    <message>
        <source>What can I do for you?</source>
        <translation>有什么可以帮你？</translation>
    </message>
    <message>
        <source>Your chats stay on this computer, except what is sent to the model.</source>
        <translation>对话保存在这台电脑上，只有发给模型的内容除外。</translation>
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
        <source>How much space is left on my disk?</source>
        <translation>我的磁盘还剩多少空间？</translation>
    </message>
    <message>
        <source>Ask me something with a form</source>
        <translation>用表单问我一个问题</translation>
    </message>
    <message>
        <source>Explain to me in simple words how a heat pump works</source>
        <translation>用简单的话给我讲讲热泵是怎么工作的</translation>
    </message>
    <message>
        <source>Write a short, friendly message that declines an invitation</source>
        <translation>写一段简短友好的话，婉拒一次邀请</translation>
    </message>
    <message>
        <source>The demo model answers from a script: no key, no network. Choose a real model at the top.</source>
        <translation>演示模型按脚本作答：无需密钥，也不联网。可以在顶部选择真实的模型。</translation>
    </message>
    <message>
        <source>Example: {text}</source>
        <translation>示例：{text}</translation>
    </message>
</context>
<context>
    <name>EndpointActions</name>
    <message>
        <source>Demo model</source>
        <translation>演示模型</translation>
    </message>
    <message>
        <source>Enter the key…</source>
        <translation>输入密钥…</translation>
    </message>
    <message>
        <source>Enter the key for %1</source>
        <translation>输入 %1 的密钥</translation>
    </message>
    <message>
        <source>For new chats</source>
        <translation>新对话默认</translation>
    </message>
    <message>
        <source>Use for new chats</source>
        <translation>设为新对话默认</translation>
    </message>
    <message>
        <source>Use %1 for new chats</source>
        <translation>将 %1 设为新对话默认</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>测试</translation>
    </message>
    <message>
        <source>Test %1</source>
        <translation>测试 %1</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Cancel the test of %1</source>
        <translation>取消对 %1 的测试</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>编辑…</translation>
    </message>
    <message>
        <source>Edit %1</source>
        <translation>编辑 %1</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>移除 %1</translation>
    </message>
    <message>
        <source>Asking it a short question…</source>
        <translation>正在问它一个简短的问题…</translation>
    </message>
    <message>
        <source>It answered in %1 s</source>
        <translation>用 %1 秒作出了回答</translation>
    </message>
    <message>
        <source>No key</source>
        <translation>没有密钥</translation>
    </message>
    <message>
        <source>Key in your system&apos;s keychain</source>
        <translation>密钥保存在系统钥匙串中</translation>
    </message>
    <message>
        <source>Key kept only until Threadwell is closed</source>
        <translation>密钥只保留到 Threadwell 关闭为止</translation>
    </message>
    <message>
        <source>The key was kept only until Threadwell was closed. Enter it again.</source>
        <translation>密钥只保留到上次 Threadwell 关闭为止。请重新输入。</translation>
    </message>
    <message>
        <source>Key from the environment variable %1</source>
        <translation>密钥来自环境变量 %1</translation>
    </message>
</context>
<context>
    <name>EndpointChooser</name>
    <message>
        <source>Found on this computer</source>
        <translation>在这台电脑上找到的</translation>
    </message>
    <message>
        <source>Providers (key needed)</source>
        <translation>服务商（需要密钥）</translation>
    </message>
    <message>
        <source>Other address</source>
        <translation>其他地址</translation>
    </message>
    <message>
        <source>A company&apos;s gateway, another provider, or a server on your network.</source>
        <translation>公司的网关、其他服务商，或局域网中的服务器。</translation>
    </message>
    <message>
        <source>Enter an address…</source>
        <translation>输入地址…</translation>
    </message>
</context>
<context>
    <name>EndpointForm</name>
    <message>
        <source>Choose or type a model.</source>
        <translation>请选择或输入模型。</translation>
    </message>
    <message numerus="yes">
        <source>%n models</source>
        <translation>
            <numerusform>%n 个模型</numerusform>
        </translation>
    </message>
    <message>
        <source>Asking for the list of models…</source>
        <translation>正在获取模型列表…</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Display name</source>
        <translation>显示名称</translation>
    </message>
    <message>
        <source>Optional</source>
        <translation>可不填</translation>
    </message>
    <message>
        <source>Refresh the list of models</source>
        <translation>刷新模型列表</translation>
    </message>
    <message>
        <source>Options of %1</source>
        <translation>%1 的选项</translation>
    </message>
    <message>
        <source>Options of the model</source>
        <translation>模型选项</translation>
    </message>
    <message>
        <source>That was an address. The key goes here.</source>
        <translation>刚才输入的是地址，这里应填写密钥。</translation>
    </message>
    <message>
        <source>The address was completed.</source>
        <translation>地址已补全。</translation>
    </message>
    <message>
        <source>Enter the address, for example http://127.0.0.1:11434/v1.</source>
        <translation>请输入地址，例如 http://127.0.0.1:11434/v1。</translation>
    </message>
    <message>
        <source>An address must not contain a user name or password. Enter the key in its own field.</source>
        <translation>地址中不能包含用户名或密码。请把密钥填在密钥栏里。</translation>
    </message>
    <message>
        <source>This is not an address like http://host/v1 or https://host/v1.</source>
        <translation>这不是 http://host/v1 或 https://host/v1 这样的地址。</translation>
    </message>
    <message>
        <source>Advanced</source>
        <translation>高级</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>测试</translation>
    </message>
    <message>
        <source>Ask one short question</source>
        <translation>问一个简短的问题</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>That was a key; it was moved to the field for the key.</source>
        <translation>刚才输入的是密钥，已移到密钥栏。</translation>
    </message>
    <message>
        <source>That was an address; it was moved to the field for the address.</source>
        <translation>刚才输入的是地址，已移到地址栏。</translation>
    </message>
</context>
<context>
    <name>EndpointRow</name>
    <message>
        <source>Demo model</source>
        <translation>演示模型</translation>
    </message>
    <message>
        <source>This is not a real model: its answers come from a script. No key, no network.</source>
        <translation>这不是真实的模型：回答来自脚本。无需密钥，也不联网。</translation>
    </message>
    <message>
        <source>no model chosen</source>
        <translation>未选择模型</translation>
    </message>
</context>
<context>
    <name>ErrorNotice</name>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Continue this answer</source>
        <translation>继续这个回答</translation>
    </message>
</context>
<context>
    <name>ExportDialog</name>
    <message>
        <source>Export chats</source>
        <translation>导出对话</translation>
    </message>
    <message>
        <source>Export this chat</source>
        <translation>导出此对话</translation>
    </message>
    <message>
        <source>Exported</source>
        <translation>已导出</translation>
    </message>
    <message>
        <source>Text to read and to edit: what the chat shows.</source>
        <translation>可阅读、可编辑的文本：对话中显示的内容。</translation>
    </message>
    <message>
        <source>A page for any browser, with its pictures in it.</source>
        <translation>任何浏览器都能打开的网页，图片包含在内。</translation>
    </message>
    <message>
        <source>Pages to print and to pass on.</source>
        <translation>适合打印和转发的页面。</translation>
    </message>
    <message>
        <source>Complete: every answer, tool call and file. Threadwell can import it again.</source>
        <translation>完整：所有回答、工具调用和文件。可以再导入 Threadwell。</translation>
    </message>
    <message>
        <source>Also the chats in the Trash</source>
        <translation>也包括回收站中的对话</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Choose where…</source>
        <translation>选择位置…</translation>
    </message>
    <message>
        <source>Show the folder</source>
        <translation>打开所在文件夹</translation>
    </message>
    <message>
        <source>Writing %1 of %2…</source>
        <translation>正在写入第 %1 个，共 %2 个…</translation>
    </message>
    <message numerus="yes">
        <source>%Ln chats exported to %1</source>
        <translation>
            <numerusform>已将 %Ln 个对话导出到 %1</numerusform>
        </translation>
    </message>
    <message>
        <source>All chats</source>
        <translation>全部对话</translation>
    </message>
    <message numerus="yes">
        <source>%Ln chats</source>
        <translation>
            <numerusform>%Ln 个对话</numerusform>
        </translation>
    </message>
    <message>
        <source>With files in the chat, Markdown and JSON become a ZIP file that holds them, too.</source>
        <translation>如果对话中有文件，Markdown 和 JSON 会成为一个同时包含这些文件的 ZIP 文件。</translation>
    </message>
    <message>
        <source>Several chats become one ZIP file.</source>
        <translation>多个对话会成为一个 ZIP 文件。</translation>
    </message>
</context>
<context>
    <name>ExportWording</name>
    <message>
        <source>New chat</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>You</source>
        <translation>你</translation>
    </message>
    <message>
        <source>Assistant</source>
        <translation>助手</translation>
    </message>
    <message>
        <source>Begun</source>
        <translation>开始于</translation>
    </message>
    <message>
        <source>Last message</source>
        <translation>最后一条消息</translation>
    </message>
    <message>
        <source>Exported from Threadwell</source>
        <translation>由 Threadwell 导出</translation>
    </message>
    <message>
        <source>Instructions of this chat</source>
        <translation>此对话的指示</translation>
    </message>
    <message>
        <source>Reasoning</source>
        <translation>思考过程</translation>
    </message>
    <message>
        <source>Tool %1</source>
        <translation>工具 %1</translation>
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
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Sources</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>answer %1 of %2</source>
        <translation>第 %1 个回答，共 %2 个</translation>
    </message>
    <message>
        <source>version %1 of %2</source>
        <translation>第 %1 个版本，共 %2 个</translation>
    </message>
    <message>
        <source>%1 tokens in, %2 out</source>
        <translation>输入 %1 个 token，输出 %2 个</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>still being written when this was exported</source>
        <translation>导出时仍在生成</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>interrupted</source>
        <translation>已中断</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>not allowed</source>
        <translation>未获允许</translation>
    </message>
    <message>
        <source>no result in time</source>
        <translation>未及时返回结果</translation>
    </message>
    <message>
        <source>nobody knows how it ended</source>
        <translation>结果未知</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>计划</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>步骤 %1</translation>
    </message>
    <message>
        <source>not begun</source>
        <translation>未开始</translation>
    </message>
    <message>
        <source>not done</source>
        <translation>未执行</translation>
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
    <name>FillForm</name>
    <message>
        <source>Enter goes on, Shift+Enter begins a new line.</source>
        <translation>按 Enter 继续，按 Shift+Enter 换行。</translation>
    </message>
    <message>
        <source>Preview</source>
        <translation>预览</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Insert</source>
        <translation>插入</translation>
    </message>
</context>
<context>
    <name>FindBar</name>
    <message>
        <source>%1 of %2…</source>
        <translation>第 %1/%2… 处</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>第 %1/%2 处</translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation>正在查找…</translation>
    </message>
    <message>
        <source>Not found</source>
        <translation>没有找到</translation>
    </message>
    <message>
        <source>Find in this chat</source>
        <translation>在此对话中查找</translation>
    </message>
    <message>
        <source>Previous place</source>
        <translation>上一处</translation>
    </message>
    <message>
        <source>Next place</source>
        <translation>下一处</translation>
    </message>
    <message>
        <source>Close the search</source>
        <translation>关闭查找</translation>
    </message>
</context>
<context>
    <name>FindingsList</name>
    <message>
        <source>Reads %1 tokens</source>
        <translation>上下文 %1 个 token</translation>
    </message>
    <message>
        <source>Reads %1 tokens, as you set it</source>
        <translation>上下文 %1 个 token（由你设置）</translation>
    </message>
    <message>
        <source>Reachable</source>
        <translation>可以连接</translation>
    </message>
    <message>
        <source>Not reachable</source>
        <translation>无法连接</translation>
    </message>
    <message>
        <source>Key accepted</source>
        <translation>密钥有效</translation>
    </message>
    <message>
        <source>Key refused</source>
        <translation>密钥被拒绝</translation>
    </message>
    <message>
        <source>Key: not known</source>
        <translation>密钥：未知</translation>
    </message>
    <message>
        <source>Model answers</source>
        <translation>模型有回应</translation>
    </message>
    <message>
        <source>No such model</source>
        <translation>没有这个模型</translation>
    </message>
    <message>
        <source>Model: not known</source>
        <translation>模型：未知</translation>
    </message>
    <message>
        <source>Streams word by word</source>
        <translation>支持流式输出</translation>
    </message>
    <message>
        <source>Answers in one piece only</source>
        <translation>不支持流式输出</translation>
    </message>
    <message>
        <source>Streaming: not known</source>
        <translation>流式输出：未知</translation>
    </message>
    <message>
        <source>Calls tools</source>
        <translation>能调用工具</translation>
    </message>
    <message>
        <source>Takes no tools</source>
        <translation>不支持工具</translation>
    </message>
    <message>
        <source>Tools: not known</source>
        <translation>工具：未知</translation>
    </message>
    <message>
        <source>Context length: not told</source>
        <translation>上下文长度：未提供</translation>
    </message>
    <message>
        <source>No key needed</source>
        <translation>不需要密钥</translation>
    </message>
    <message>
        <source>Model answers, though it is not listed</source>
        <translation>模型有回应，但不在列表中</translation>
    </message>
    <message>
        <source>Takes tools, but did not call one</source>
        <translation>接受工具，但没有调用</translation>
    </message>
    <message>
        <source>Tools are switched off for it</source>
        <translation>已为它关闭工具</translation>
    </message>
</context>
<context>
    <name>FirstStartPage</name>
    <message>
        <source>First start</source>
        <translation>首次启动</translation>
    </message>
    <message>
        <source>Welcome. Which model should answer?</source>
        <translation>欢迎使用。想让哪个模型来回答？</translation>
    </message>
    <message>
        <source>Choose a model. Your chats are kept on this computer; a model sees only what you send it.</source>
        <translation>请选择一个模型。对话保存在这台电脑上，模型只会看到你发给它的内容。</translation>
    </message>
    <message>
        <source>Try it without a model</source>
        <translation>不用模型，先试一试</translation>
    </message>
    <message>
        <source>Set up later</source>
        <translation>以后再设置</translation>
    </message>
    <message>
        <source>Until then the demo model answers</source>
        <translation>在此之前由演示模型回答</translation>
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
    <name>ForeignTextChip</name>
    <message>
        <source>Foreign text</source>
        <translation>含外部内容</translation>
    </message>
    <message>
        <source>This chat has read what somebody else wrote: %1. Such text can try to make the model do things. Until the end of this chat you are asked again before anything is sent out, whatever you allowed before.</source>
        <translation>此对话读取了别人写的内容：%1。这类文字可能会诱使模型做事。在这个对话中，向外发送任何内容之前都会再次询问你，无论你之前允许过什么。</translation>
    </message>
</context>
<context>
    <name>Forgetting</name>
    <message numerus="yes">
        <source>%n memories forgotten</source>
        <translation>
            <numerusform>已忘记 %n 条记忆</numerusform>
        </translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
</context>
<context>
    <name>FormPresenter</name>
    <message>
        <source>There is no list of models here. Type the model&apos;s name.</source>
        <translation>这里没有模型列表。请输入模型名称。</translation>
    </message>
</context>
<context>
    <name>FoundServers</name>
    <message>
        <source>Look again</source>
        <translation>重新查找</translation>
    </message>
    <message>
        <source>Look again for model servers on this computer</source>
        <translation>重新查找这台电脑上的模型服务器</translation>
    </message>
    <message>
        <source>Looking for Ollama, LM Studio and others on this computer…</source>
        <translation>正在这台电脑上查找 Ollama、LM Studio 等模型服务器…</translation>
    </message>
    <message numerus="yes">
        <source>%n model server(s) found</source>
        <translation>
            <numerusform>找到 %n 个模型服务器</numerusform>
        </translation>
    </message>
    <message>
        <source>No model server was found on this computer. Start Ollama, LM Studio or another one, then look again.</source>
        <translation>这台电脑上没有找到模型服务器。请启动 Ollama、LM Studio 或其他模型服务器，然后重新查找。</translation>
    </message>
</context>
<context>
    <name>GrantRow</name>
    <message>
        <source>Revoke</source>
        <translation>收回</translation>
    </message>
    <message>
        <source>Revoke: %1</source>
        <translation>收回：%1</translation>
    </message>
    <message>
        <source>Open chat</source>
        <translation>打开对话</translation>
    </message>
    <message>
        <source>Open chat: %1</source>
        <translation>打开对话：%1</translation>
    </message>
    <message>
        <source>Show uses</source>
        <translation>使用记录</translation>
    </message>
    <message>
        <source>Show uses: %1</source>
        <translation>查看使用记录：%1</translation>
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
        <source>Run exactly this command</source>
        <translation>仅运行这条命令</translation>
    </message>
    <message>
        <source>Use “%1” of “%2” with any arguments</source>
        <translation>以任何参数使用“%2”的“%1”</translation>
    </message>
    <message>
        <source>Use “%1” of “%2” with exactly these arguments</source>
        <translation>以完全相同的参数使用“%2”的“%1”</translation>
    </message>
    <message>
        <source>Run %1</source>
        <translation>运行：%1</translation>
    </message>
    <message>
        <source>“%1” of “%2”: %3</source>
        <translation>“%2”的“%1”：%3</translation>
    </message>
    <message>
        <source>In the chat “%1”</source>
        <translation>在对话“%1”中</translation>
    </message>
    <message>
        <source>Always, in every chat</source>
        <translation>始终，在所有对话中</translation>
    </message>
    <message>
        <source>in the folder %1</source>
        <translation>在文件夹 %1 中</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>Given %1</source>
        <translation>授予于 %1</translation>
    </message>
    <message>
        <source>until %1</source>
        <translation>有效期至 %1</translation>
    </message>
    <message>
        <source>not used without asking yet</source>
        <translation>尚未免询问使用过</translation>
    </message>
    <message numerus="yes">
        <source>used %n times without asking, last %1</source>
        <translation>
            <numerusform>已免询问使用 %n 次，最近一次是%1</numerusform>
        </translation>
    </message>
    <message>
        <source>Its chat is in the Trash; the permission is deleted with it.</source>
        <translation>所属的对话在回收站里；权限会随它一起删除。</translation>
    </message>
    <message numerus="yes">
        <source>Expired: not used for %n days.</source>
        <translation>
            <numerusform>已过期：%n 天没有使用。</numerusform>
        </translation>
    </message>
    <message>
        <source>Expired: the time is over for which it was given.</source>
        <translation>已过期：授予的期限已到。</translation>
    </message>
    <message>
        <source>No effect: this version reads commands in another way. You will be asked again.</source>
        <translation>不起作用：这个版本解读命令的方式不同，会重新询问你。</translation>
    </message>
    <message>
        <source>No effect: this server no longer exists.</source>
        <translation>不起作用：这个服务器已不存在。</translation>
    </message>
    <message>
        <source>No effect for now: its server is not running.</source>
        <translation>暂时不起作用：它的服务器没有运行。</translation>
    </message>
    <message>
        <source>No effect: the server no longer offers this tool.</source>
        <translation>不起作用：服务器不再提供这个工具。</translation>
    </message>
    <message>
        <source>No effect: the tool or its server has changed. You will be asked again.</source>
        <translation>不起作用：工具或服务器有变化，会重新询问你。</translation>
    </message>
    <message>
        <source>No effect for now: commands run in another folder.</source>
        <translation>暂时不起作用：命令现在在另一个文件夹中运行。</translation>
    </message>
</context>
<context>
    <name>Header</name>
    <message>
        <source>What the answers of this chat are told. Click to choose.</source>
        <translation>此对话的回答会获知哪些内容。点击可选择。</translation>
    </message>
    <message>
        <source>Nothing is taken from your chats, and answers are told nothing. Click to go to the memories.</source>
        <translation>不会从你的对话中提取任何内容，回答也不会得到任何记忆。点击前往记忆。</translation>
    </message>
    <message>
        <source>What answers are told</source>
        <translation>回答会参考什么</translation>
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
        <source>Scripted</source>
        <translation>脚本</translation>
    </message>
    <message>
        <source>No model is connected. The built-in demo answers from a script, without network.</source>
        <translation>还没有连接模型。内置的演示按脚本回答，不联网。</translation>
    </message>
    <message>
        <source>Temporary</source>
        <translation>临时</translation>
    </message>
    <message>
        <source>This chat is told nothing of your other chats, nothing of it is remembered, and when you leave it, it is removed from this computer for good.</source>
        <translation>此对话不会获知其他对话的任何内容，其中的内容也不会被记住；离开后，它会从这台电脑上彻底移除。</translation>
    </message>
    <message>
        <source>Chat options: %1</source>
        <translation>对话选项：%1</translation>
    </message>
    <message>
        <source>Chat options</source>
        <translation>对话选项</translation>
    </message>
    <message>
        <source>Tool servers: %1, started when you begin to write</source>
        <translation>工具服务器：%1 个，开始输入时启动</translation>
    </message>
    <message numerus="yes">
        <source>Tool servers: %1 of %2 ready, %n failed</source>
        <translation>
            <numerusform>工具服务器：%2 个中有 %1 个就绪，%n 个失败</numerusform>
        </translation>
    </message>
    <message>
        <source>Tool servers: %1 of %2 ready</source>
        <translation>工具服务器：%2 个中有 %1 个就绪</translation>
    </message>
</context>
<context>
    <name>HelpFeature</name>
    <message>
        <source>Threadwell was updated to version %1</source>
        <translation>Threadwell 已更新到 %1 版</translation>
    </message>
    <message>
        <source>What’s new</source>
        <translation>新功能</translation>
    </message>
    <message>
        <source>Save the report</source>
        <translation>保存报告</translation>
    </message>
    <message>
        <source>The report was saved.</source>
        <translation>报告已保存。</translation>
    </message>
</context>
<context>
    <name>HelpWindow</name>
    <message>
        <source>User guide</source>
        <translation>用户指南</translation>
    </message>
    <message>
        <source>What’s new</source>
        <translation>新功能</translation>
    </message>
    <message>
        <source>Search the help</source>
        <translation>搜索帮助</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>Contents</source>
        <translation>目录</translation>
    </message>
    <message>
        <source>Nothing was found.</source>
        <translation>没有找到。</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>HiddenChats</name>
    <message>
        <source>New chat</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>The answer failed: %1</source>
        <translation>回答失败了：%1</translation>
    </message>
    <message>
        <source>The answer is ready: %1</source>
        <translation>回答好了：%1</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>查看</translation>
    </message>
</context>
<context>
    <name>HistoryDialog</name>
    <message numerus="yes">
        <source>%n calls</source>
        <translation>
            <numerusform>%n 次调用</numerusform>
        </translation>
    </message>
    <message>
        <source>History of decisions and calls</source>
        <translation>决定与调用记录</translation>
    </message>
    <message>
        <source>What models called and what became of it, the newest first. It goes when its chat is deleted.</source>
        <translation>模型的调用及其结果，最新的在前。删除对话时，其中的记录也会删除。</translation>
    </message>
    <message>
        <source>What ran unasked by this permission: %1</source>
        <translation>因这项权限而直接运行的调用：%1</translation>
    </message>
    <message>
        <source>Search commands, arguments, tools, results and chats</source>
        <translation>搜索命令、参数、工具、结果和对话</translation>
    </message>
    <message>
        <source>Search the history</source>
        <translation>搜索记录</translation>
    </message>
    <message>
        <source>All decisions</source>
        <translation>所有决定</translation>
    </message>
    <message>
        <source>All servers</source>
        <translation>所有服务器</translation>
    </message>
    <message>
        <source>Decision</source>
        <translation>决定</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>No call matches.</source>
        <translation>没有符合的调用。</translation>
    </message>
    <message>
        <source>Open chat</source>
        <translation>打开对话</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Everything about this call</source>
        <translation>这次调用的全部信息</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
</context>
<context>
    <name>ImageTile</name>
    <message>
        <source>Image: %1</source>
        <translation>图片：%1</translation>
    </message>
</context>
<context>
    <name>ImportDialog</name>
    <message>
        <source>Import from other programs</source>
        <translation>从其他程序导入</translation>
    </message>
    <message>
        <source>Found in the settings of other programs. What you choose is added switched off; keys go into your system&apos;s keychain. Nothing is started or contacted.</source>
        <translation>在其他程序的设置中找到的。所选服务器添加后处于关闭状态，密钥存入系统钥匙串。不会启动或连接任何内容。</translation>
    </message>
    <message>
        <source>No other program with tool servers was found on this computer.</source>
        <translation>这台电脑上没有找到其他使用工具服务器的程序。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message numerus="yes">
        <source>Add %n servers</source>
        <translation>
            <numerusform>添加 %n 个服务器</numerusform>
        </translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
</context>
<context>
    <name>ImportDrop</name>
    <message>
        <source>Drop exported chats here to import them</source>
        <translation>把导出的对话拖到这里即可导入</translation>
    </message>
</context>
<context>
    <name>ImportWording</name>
    <message numerus="yes">
        <source>%n messages</source>
        <translation>
            <numerusform>%n 条消息</numerusform>
        </translation>
    </message>
    <message>
        <source>here already</source>
        <translation>已存在</translation>
    </message>
    <message numerus="yes">
        <source>%n new messages</source>
        <translation>
            <numerusform>%n 条新消息</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n new messages beside those that are shown</source>
        <translation>
            <numerusform>%n 条新消息，作为另一分支与显示的内容并列</numerusform>
        </translation>
    </message>
    <message>
        <source>in the Trash</source>
        <translation>在回收站中</translation>
    </message>
    <message numerus="yes">
        <source>%n files missing</source>
        <translation>
            <numerusform>缺少 %n 个文件</numerusform>
        </translation>
    </message>
    <message>
        <source>without its folder and settings for tools</source>
        <translation>未带入其文件夹和工具设置</translation>
    </message>
    <message numerus="yes">
        <source>%Ln chats imported</source>
        <translation>
            <numerusform>已导入 %Ln 个对话</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln brought up to date</source>
        <translation>
            <numerusform>%Ln 个已更新</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln here already</source>
        <translation>
            <numerusform>%Ln 个已存在</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln skipped</source>
        <translation>
            <numerusform>跳过 %Ln 个</numerusform>
        </translation>
    </message>
    <message>
        <source>skipped: it holds no message</source>
        <translation>已跳过：其中没有消息</translation>
    </message>
    <message>
        <source>skipped: a newer version of Threadwell wrote it</source>
        <translation>已跳过：由更新版本的 Threadwell 写入</translation>
    </message>
    <message>
        <source>skipped: far too much is packed into it</source>
        <translation>已跳过：压缩的内容过大</translation>
    </message>
    <message>
        <source>skipped: an archive inside the archive is not opened</source>
        <translation>已跳过：不打开压缩包中的压缩包</translation>
    </message>
    <message>
        <source>skipped: its name leads out of the archive</source>
        <translation>已跳过：名称指向压缩包之外</translation>
    </message>
    <message>
        <source>skipped: it is protected by a password</source>
        <translation>已跳过：有密码保护</translation>
    </message>
    <message>
        <source>skipped: this chat is being deleted for good</source>
        <translation>已跳过：此对话正在被彻底删除</translation>
    </message>
    <message>
        <source>skipped: it cannot be read</source>
        <translation>已跳过：无法读取</translation>
    </message>
</context>
<context>
    <name>InspectorDialog</name>
    <message>
        <source>What was sent</source>
        <translation>发送内容</translation>
    </message>
    <message>
        <source>Request</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>Search in what was sent</source>
        <translation>搜索发送内容</translation>
    </message>
    <message>
        <source>Parts of the request</source>
        <translation>请求的各个部分</translation>
    </message>
    <message>
        <source>Save as JSON…</source>
        <translation>另存为 JSON…</translation>
    </message>
    <message>
        <source>Save chat…</source>
        <translation>保存对话…</translation>
    </message>
    <message>
        <source>Save what was sent in all of this chat, as JSON</source>
        <translation>将整个对话的发送内容保存为 JSON</translation>
    </message>
    <message>
        <source>Copy JSON</source>
        <translation>复制 JSON</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>One moment…</source>
        <translation>请稍候…</translation>
    </message>
    <message>
        <source>Nothing was sent yet.</source>
        <translation>还没有发送任何内容。</translation>
    </message>
    <message>
        <source>Of this answer there is no record: it is older than the record, was brought in from elsewhere, or failed before anything was sent.</source>
        <translation>这个回答没有记录：它早于开始记录的时间、是从别处导入的，或在发送之前就已失败。</translation>
    </message>
    <message>
        <source>Nothing matches.</source>
        <translation>没有匹配项。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln matches</source>
        <translation>
            <numerusform>%Ln 个匹配项</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>InspectorPresenter</name>
    <message>
        <source>What this comes from is not there any more</source>
        <translation>这项内容的来源已不存在</translation>
    </message>
    <message>
        <source>The request was copied</source>
        <translation>已复制请求</translation>
    </message>
    <message>
        <source>Save as</source>
        <translation>另存为</translation>
    </message>
    <message>
        <source>What was sent</source>
        <translation>发送内容</translation>
    </message>
    <message>
        <source>Saved as %1</source>
        <translation>已保存为 %1</translation>
    </message>
</context>
<context>
    <name>InstructionsChip</name>
    <message>
        <source>Instructions of this chat: %1</source>
        <translation>此对话的指示：%1</translation>
    </message>
    <message>
        <source>Click to change them.</source>
        <translation>点击可修改。</translation>
    </message>
</context>
<context>
    <name>Interaction</name>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy as Markdown</source>
        <translation>复制为 Markdown</translation>
    </message>
    <message>
        <source>Select the whole message</source>
        <translation>选择整条消息</translation>
    </message>
    <message>
        <source>Copy link address</source>
        <translation>复制链接地址</translation>
    </message>
    <message>
        <source>Copy message</source>
        <translation>复制消息</translation>
    </message>
    <message>
        <source>Save as prompt…</source>
        <translation>保存为提示词…</translation>
    </message>
    <message>
        <source>What was sent</source>
        <translation>发送内容</translation>
    </message>
    <message>
        <source>Edit and send again</source>
        <translation>修改后重新发送</translation>
    </message>
    <message>
        <source>Ask this in a new chat</source>
        <translation>在新对话中提问</translation>
    </message>
    <message>
        <source>Answer again</source>
        <translation>重新回答</translation>
    </message>
    <message>
        <source>Go on from here in a new chat</source>
        <translation>从这里开始新的对话</translation>
    </message>
    <message>
        <source>Map of branches</source>
        <translation>分支图</translation>
    </message>
    <message>
        <source>Remove this result</source>
        <translation>移除此结果</translation>
    </message>
    <message>
        <source>Remove this result (when the answer has ended)</source>
        <translation>移除此结果（回答结束后可用）</translation>
    </message>
    <message>
        <source>Delete this answer</source>
        <translation>删除此回答</translation>
    </message>
    <message>
        <source>Delete this message</source>
        <translation>删除此消息</translation>
    </message>
</context>
<context>
    <name>InterchangePresenter</name>
    <message>
        <source>Exported chats (*.json *.zip *.bak)</source>
        <translation>导出的对话 (*.json *.zip *.bak)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Import chats</source>
        <translation>导入对话</translation>
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
    <name>KeptFiles</name>
    <message>
        <source>This picture cannot be opened</source>
        <translation>无法打开这张图片</translation>
    </message>
    <message>
        <source>This file is not there any more</source>
        <translation>这个文件已不存在</translation>
    </message>
    <message>
        <source>This file cannot be opened here; it can be saved</source>
        <translation>这个文件不能在这里打开，但可以保存</translation>
    </message>
    <message>
        <source>Save as</source>
        <translation>另存为</translation>
    </message>
    <message>
        <source>Saved as %1</source>
        <translation>已保存为 %1</translation>
    </message>
</context>
<context>
    <name>KeyField</name>
    <message>
        <source>Paste the key here.</source>
        <translation>请在这里粘贴密钥。</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>密钥</translation>
    </message>
    <message>
        <source>Key (if it needs one)</source>
        <translation>密钥（如果需要）</translation>
    </message>
    <message>
        <source>Hide the key</source>
        <translation>隐藏密钥</translation>
    </message>
    <message>
        <source>Show the key</source>
        <translation>显示密钥</translation>
    </message>
    <message>
        <source>Get a key from %1</source>
        <translation>到 %1 获取密钥</translation>
    </message>
    <message>
        <source>Try the keychain again</source>
        <translation>重试钥匙串</translation>
    </message>
    <message>
        <source>The key was kept only until Threadwell was closed. Paste it again.</source>
        <translation>密钥只保留到上次 Threadwell 关闭为止。请重新粘贴。</translation>
    </message>
    <message>
        <source>A key is kept. Paste another one to replace it.</source>
        <translation>已保存；可粘贴新密钥替换</translation>
    </message>
    <message>
        <source>A key consists of plain letters, digits and symbols only. Copy it again without other text.</source>
        <translation>密钥只包含英文字母、数字和符号。请重新复制，不要带上其他文字。</translation>
    </message>
    <message>
        <source>Delete key</source>
        <translation>删除密钥</translation>
    </message>
    <message>
        <source>Delete the key that is kept</source>
        <translation>删除已保存的密钥</translation>
    </message>
    <message>
        <source>The key is deleted when you save.</source>
        <translation>保存时会删除密钥。</translation>
    </message>
    <message>
        <source>Paste the key; it begins with %1</source>
        <translation>粘贴密钥，以 %1 开头</translation>
    </message>
    <message>
        <source>Paste the key</source>
        <translation>粘贴密钥</translation>
    </message>
    <message>
        <source>Kept in your system&apos;s keychain (%1).</source>
        <translation>保存在系统钥匙串中（%1）。</translation>
    </message>
    <message>
        <source>Kept in your system&apos;s keychain.</source>
        <translation>保存在系统钥匙串中。</translation>
    </message>
    <message>
        <source>Looking for your system&apos;s keychain…</source>
        <translation>正在查找系统钥匙串…</translation>
    </message>
    <message>
        <source>No keychain was found on this computer. The key is kept only until Threadwell is closed.</source>
        <translation>这台电脑上没有找到钥匙串。密钥只保留到 Threadwell 关闭为止。</translation>
    </message>
    <message>
        <source>Your system&apos;s keychain is locked. Until it is unlocked, the key is kept only while Threadwell is open.</source>
        <translation>系统钥匙串已锁定。解锁之前，密钥只在 Threadwell 打开期间保留。</translation>
    </message>
    <message>
        <source>Access to your system&apos;s keychain was refused. The key is kept only until Threadwell is closed.</source>
        <translation>访问系统钥匙串被拒绝。密钥只保留到 Threadwell 关闭为止。</translation>
    </message>
    <message>
        <source>Your system&apos;s keychain does not answer. The key is kept only until Threadwell is closed.</source>
        <translation>系统钥匙串没有响应。密钥只保留到 Threadwell 关闭为止。</translation>
    </message>
    <message>
        <source>The key is read from the environment variable %1 and is not stored.</source>
        <translation>密钥从环境变量 %1 读取，不会保存。</translation>
    </message>
</context>
<context>
    <name>KeyNotices</name>
    <message>
        <source>Try the keychain again</source>
        <translation>重试钥匙串</translation>
    </message>
    <message>
        <source>No keychain was found on this computer</source>
        <translation>这台电脑上没有找到钥匙串</translation>
    </message>
    <message>
        <source>The keychain is locked</source>
        <translation>钥匙串已锁定</translation>
    </message>
    <message>
        <source>The keychain did not take the key</source>
        <translation>钥匙串没有接受密钥</translation>
    </message>
    <message>
        <source>The keychain did not answer</source>
        <translation>钥匙串没有响应</translation>
    </message>
    <message>
        <source>The key for %1 is kept only until Threadwell is closed.</source>
        <translation>%1 的密钥只保留到 Threadwell 关闭为止。</translation>
    </message>
    <message>
        <source>If a window asks for the keychain&apos;s password, answer it, then try again.</source>
        <translation>如果有窗口要求输入钥匙串的密码，请输入后重试。</translation>
    </message>
</context>
<context>
    <name>KeyWarning</name>
    <message>
        <source>Not sent yet: this looks like a key. What you send goes to the model and stays in the chat. Choose what to do with it.</source>
        <translation>尚未发送：这看起来像一个密钥。发送的内容会交给模型，并留在对话里。请选择如何处理。</translation>
    </message>
    <message>
        <source>This looks like a key. What you send goes to the model and stays in the chat.</source>
        <translation>这看起来像一个密钥。发送的内容会交给模型，并留在对话里。</translation>
    </message>
    <message>
        <source>Use it as the key of a model…</source>
        <translation>用作某个模型的密钥…</translation>
    </message>
    <message>
        <source>Send anyway</source>
        <translation>仍然发送</translation>
    </message>
</context>
<context>
    <name>KeyboardPage</name>
    <message>
        <source>Keyboard</source>
        <translation>键盘</translation>
    </message>
    <message>
        <source>Every action with its keys. Choose one to give it other keys; what has them already is named.</source>
        <translation>所有操作及其按键。选中一项即可换成别的按键；按键若已被占用，会告诉你被哪项操作占用。</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>keys hotkeys bindings</source>
        <translation>按键 热键 快捷键 绑定</translation>
    </message>
</context>
<context>
    <name>KeyboardPresenter</name>
    <message>
        <source>“%1” was reset</source>
        <translation>“%1”已重置</translation>
    </message>
</context>
<context>
    <name>KeysDialog</name>
    <message>
        <source>%1 belongs to “%2”, which always has these keys.</source>
        <translation>%1 属于“%2”，它的按键不能更改。</translation>
    </message>
    <message>
        <source>%1 leads through every window. Press it together with Ctrl, or use other keys.</source>
        <translation>%1 在每个窗口里都要用到。请与 Ctrl 一起按，或换用其他按键。</translation>
    </message>
    <message>
        <source>%1 types or changes text. Press it together with Ctrl, or use a function key such as F8.</source>
        <translation>%1 用于输入或修改文字。请与 Ctrl 一起按，或使用 F8 这样的功能键。</translation>
    </message>
    <message>
        <source>%1 is needed in text fields. Use other keys.</source>
        <translation>文本框需要用到 %1。请换用其他按键。</translation>
    </message>
    <message>
        <source>%1 belongs to the system, which may not let it through. Use other keys.</source>
        <translation>%1 属于系统，可能收不到。请换用其他按键。</translation>
    </message>
    <message>
        <source>%1 belongs to “%2”. Taken from there, it does this instead.</source>
        <translation>%1 属于“%2”。取过来后，它将用于这里。</translation>
    </message>
    <message>
        <source>Keys of “%1”</source>
        <translation>“%1”的快捷键</translation>
    </message>
    <message>
        <source>Now: %1</source>
        <translation>当前：%1</translation>
    </message>
    <message>
        <source>It has no keys now</source>
        <translation>当前没有快捷键</translation>
    </message>
    <message>
        <source>Press the new keys.</source>
        <translation>请按下新的按键。</translation>
    </message>
    <message>
        <source>Press the new keys</source>
        <translation>请按下新的按键</translation>
    </message>
    <message>
        <source>New keys</source>
        <translation>新的按键</translation>
    </message>
    <message>
        <source>Keep the keys that it has, too</source>
        <translation>同时保留现有按键</translation>
    </message>
    <message>
        <source>Take it from there</source>
        <translation>取过来</translation>
    </message>
    <message>
        <source>Use these keys</source>
        <translation>使用这些按键</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>No keys</source>
        <translation>不设按键</translation>
    </message>
    <message>
        <source>Usual keys: %1</source>
        <translation>恢复默认：%1</translation>
    </message>
</context>
<context>
    <name>Knowledge</name>
    <message>
        <source>Add knowledge</source>
        <translation>添加资料</translation>
    </message>
    <message>
        <source>Add documents that answers in this chat can draw on</source>
        <translation>添加可供此对话的回答参考的文档</translation>
    </message>
    <message>
        <source>Add files as knowledge…</source>
        <translation>将文件添加为资料…</translation>
    </message>
    <message>
        <source>Add a folder as knowledge…</source>
        <translation>将文件夹添加为资料…</translation>
    </message>
    <message>
        <source>Show all documents</source>
        <translation>显示所有文档</translation>
    </message>
</context>
<context>
    <name>KnowledgeLine</name>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Show the documents</source>
        <translation>显示文档</translation>
    </message>
    <message>
        <source>Show, read again or remove documents</source>
        <translation>显示、重新读取或移除文档</translation>
    </message>
</context>
<context>
    <name>KnowledgePresenter</name>
    <message>
        <source>This chat has these documents already.</source>
        <translation>此对话已有这些文档。</translation>
    </message>
    <message>
        <source>Add a folder as knowledge</source>
        <translation>将文件夹添加为资料</translation>
    </message>
    <message>
        <source>Add files as knowledge</source>
        <translation>将文件添加为资料</translation>
    </message>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <translation>
            <numerusform>%1 和另外 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>Knowledge: %1</source>
        <translation>资料：%1</translation>
    </message>
    <message>
        <source>page %1 of %2</source>
        <translation>第 %1 页，共 %2 页</translation>
    </message>
    <message>
        <source>%1 of %2 files read</source>
        <translation>已读 %1 个文件，共 %2 个</translation>
    </message>
    <message>
        <source>being read…</source>
        <translation>正在读取…</translation>
    </message>
    <message numerus="yes">
        <source>%n could not be read</source>
        <translation>
            <numerusform>%n 个无法读取</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LanguagePage</name>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>The language of the window. It changes at once, without a restart.</source>
        <translation>窗口使用的语言。更改立即生效，无需重新启动。</translation>
    </message>
    <message>
        <source>Dates and numbers</source>
        <translation>日期和数字</translation>
    </message>
    <message>
        <source>Date and time</source>
        <translation>日期和时间</translation>
    </message>
    <message>
        <source>Currently: %1</source>
        <translation>当前：%1</translation>
    </message>
    <message>
        <source>Same as system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Shown in the format of the chosen language.</source>
        <translation>按所选语言的格式显示。</translation>
    </message>
    <message>
        <source>format calendar clock</source>
        <translation>格式 日历 时钟</translation>
    </message>
    <message>
        <source>Numbers</source>
        <translation>数字</translation>
    </message>
    <message>
        <source>format decimal comma</source>
        <translation>格式 小数 逗号</translation>
    </message>
</context>
<context>
    <name>LastingChoice</name>
    <message>
        <source>What a lasting permission covers</source>
        <translation>权限的范围</translation>
    </message>
    <message>
        <source>what is said above</source>
        <translation>上面所说的内容</translation>
    </message>
    <message>
        <source>Until when a lasting permission holds</source>
        <translation>权限的期限</translation>
    </message>
    <message>
        <source>until I take it back</source>
        <translation>直到我收回</translation>
    </message>
    <message>
        <source>for one hour</source>
        <translation>一小时</translation>
    </message>
    <message>
        <source>for one day</source>
        <translation>一天</translation>
    </message>
    <message>
        <source>for one week</source>
        <translation>一周</translation>
    </message>
    <message>
        <source>What is allowed for this chat or for good, and until when:</source>
        <translation>在此对话中允许或始终允许的范围和期限：</translation>
    </message>
</context>
<context>
    <name>LicenceDialog</name>
    <message>
        <source>Licence of %1</source>
        <translation>%1 的许可证</translation>
    </message>
    <message>
        <source>The package does not contain the text of its licence.</source>
        <translation>这个软件包没有附带许可证文本。</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
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
        <source>This address is not opened: it is not a plain web or mail address. You can copy it.</source>
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
        <source>The address points to this computer.</source>
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
    <name>LookSample</name>
    <message>
        <source>Preview</source>
        <translation>预览</translation>
    </message>
    <message>
        <source>How do I greet someone in two languages?</source>
        <translation>怎样用两种语言打招呼？</translation>
    </message>
    <message>
        <source>One line of Python is enough; answers look like this in a chat.</source>
        <translation>一行 Python 就够了；对话中的回答就是这个样子。</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Threadwell is still opening. Your text stays here: send it in a moment.</source>
        <translation>Threadwell 还在启动。你写的内容会留在这里，请稍后再发送。</translation>
    </message>
</context>
<context>
    <name>MemoriesOfChats</name>
    <message numerus="yes">
        <source>%n memories come from this chat.</source>
        <translation>
            <numerusform>有 %n 条记忆来自此对话。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n memories come from these chats.</source>
        <translation>
            <numerusform>有 %n 条记忆来自这些对话。</numerusform>
        </translation>
    </message>
    <message>
        <source>Keep them</source>
        <translation>保留这些记忆</translation>
    </message>
    <message>
        <source>Forget them too</source>
        <translation>一并忘记</translation>
    </message>
    <message>
        <source>Kept memories lose the words that they quote from the chat.</source>
        <translation>保留的记忆不再附带引自对话的原话。</translation>
    </message>
</context>
<context>
    <name>MemoryDetails</name>
    <message numerus="yes">
        <source>%n memories chosen</source>
        <translation>
            <numerusform>已选择 %n 条记忆</numerusform>
        </translation>
    </message>
    <message>
        <source>You said: “%1”</source>
        <translation>你说：“%1”</translation>
    </message>
    <message>
        <source>Accept</source>
        <translation>接受</translation>
    </message>
    <message>
        <source>Make current again</source>
        <translation>恢复为当前记忆</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>取消固定</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>固定</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Use in all chats</source>
        <translation>用于所有对话</translation>
    </message>
    <message>
        <source>Only in its chat</source>
        <translation>仅用于所属对话</translation>
    </message>
    <message>
        <source>Open the chat</source>
        <translation>打开对话</translation>
    </message>
    <message>
        <source>Refuse</source>
        <translation>拒绝</translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>忘记</translation>
    </message>
    <message>
        <source>It counts again, beside what took its place</source>
        <translation>它会重新生效，与取代它的记忆并存</translation>
    </message>
    <message>
        <source>Every answer is told of what is pinned, whatever the question is</source>
        <translation>无论问什么，每次回答都会参考已固定的记忆</translation>
    </message>
    <message>
        <source>Whether answers in other chats are told of it</source>
        <translation>决定其他对话的回答是否参考它</translation>
    </message>
    <message>
        <source>its chat lies in the Trash</source>
        <translation>所属的对话在回收站里</translation>
    </message>
    <message>
        <source>true until %1</source>
        <translation>有效至%1</translation>
    </message>
    <message>
        <source>only in its chat</source>
        <translation>仅用于所属对话</translation>
    </message>
    <message>
        <source>pinned: every answer is told of it</source>
        <translation>已固定：每次回答都会参考</translation>
    </message>
    <message>
        <source>waits, because its chat held text that others wrote</source>
        <translation>等你查看，因为所属对话含有他人写的文字</translation>
    </message>
</context>
<context>
    <name>MemoryEditDialog</name>
    <message>
        <source>Too long: %1 of at most %2 characters. Write it as two memories.</source>
        <translation>太长：有 %1 个字符，最多 %2 个。请分成两条记忆来写。</translation>
    </message>
    <message>
        <source>Not saved yet.</source>
        <translation>尚未保存。</translation>
    </message>
    <message>
        <source>Write a memory</source>
        <translation>写一条记忆</translation>
    </message>
    <message>
        <source>Edit the memory</source>
        <translation>编辑记忆</translation>
    </message>
    <message>
        <source>One sentence that stays true without its chat, with dates written out.</source>
        <translation>写一句单独看也能看懂的话，日期请写完整。</translation>
    </message>
    <message>
        <source>Text of the memory</source>
        <translation>记忆的内容</translation>
    </message>
    <message>
        <source>For example: I work at a hospital in Leipzig since May 2024.</source>
        <translation>例如：我从 2024 年 5 月起在杭州的一家医院工作。</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Only in this chat</source>
        <translation>仅用于此对话</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
</context>
<context>
    <name>MemoryImportDialog</name>
    <message>
        <source>Import memories</source>
        <translation>导入记忆</translation>
    </message>
    <message>
        <source>Nothing that is there is overwritten. What you forgot before stays forgotten.</source>
        <translation>已有的记忆不会被覆盖。你以前忘记的内容不会再出现。</translation>
    </message>
    <message>
        <source>Entries of the file</source>
        <translation>文件中的条目</translation>
    </message>
    <message numerus="yes">
        <source>Adding %n memories…</source>
        <translation>
            <numerusform>正在添加 %n 条记忆…</numerusform>
        </translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message numerus="yes">
        <source>Add %n memories</source>
        <translation>
            <numerusform>添加 %n 条记忆</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing to add</source>
        <translation>没有可添加的内容</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Nothing was added.</source>
        <translation>什么都没有添加。</translation>
    </message>
    <message numerus="yes">
        <source>%n new</source>
        <translation>
            <numerusform>%n 条新记忆</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n known already</source>
        <translation>
            <numerusform>%n 条已有</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n forgotten before</source>
        <translation>
            <numerusform>%n 条以前忘记过</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n refused</source>
        <translation>
            <numerusform>%n 条已拒绝</numerusform>
        </translation>
    </message>
    <message>
        <source>The file is too large: at most %1 MB are read.</source>
        <translation>文件太大：最多可读取 %1 MB。</translation>
    </message>
    <message>
        <source>The file is no text, or its characters cannot be read. Choose a JSON file, or a text file with one memory in each line; save it as UTF-8 where you can choose.</source>
        <translation>此文件不是文本，或其中的字符无法读取。请选择 JSON 文件，或每行一条记忆的文本文件；可以选择编码时，请存为 UTF-8。</translation>
    </message>
    <message>
        <source>The file is damaged: it begins as JSON and cannot be read as such.</source>
        <translation>文件已损坏：开头像 JSON，但无法按 JSON 读取。</translation>
    </message>
    <message>
        <source>A newer version of Threadwell wrote the file. Update Threadwell to import it.</source>
        <translation>这个文件由更新版本的 Threadwell 写成。请更新 Threadwell 后再导入。</translation>
    </message>
    <message>
        <source>The file holds more than %1 entries. Split it and import the parts.</source>
        <translation>文件中的条目超过 %1 条。请拆分后分别导入。</translation>
    </message>
    <message>
        <source>No memories were found in the file.</source>
        <translation>文件中没有找到记忆。</translation>
    </message>
</context>
<context>
    <name>MemoryListModel</name>
    <message>
        <source>pinned</source>
        <translation>已固定</translation>
    </message>
    <message>
        <source>found by its meaning</source>
        <translation>按含义找到</translation>
    </message>
    <message>
        <source>true until %1</source>
        <translation>有效至%1</translation>
    </message>
    <message>
        <source>only in its chat</source>
        <translation>仅用于所属对话</translation>
    </message>
</context>
<context>
    <name>MemoryPage</name>
    <message numerus="yes">
        <source>%n memories found</source>
        <translation>
            <numerusform>找到 %n 条记忆</numerusform>
        </translation>
    </message>
    <message>
        <source>No matches</source>
        <translation>没有找到</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>记忆</translation>
    </message>
    <message>
        <source>What chats may be told about you. All of it lies on this computer, and you decide what stays.</source>
        <translation>对话可以知道的关于你的事。全部保存在这台电脑上，留下哪些由你决定。</translation>
    </message>
    <message>
        <source>Back to the chat</source>
        <translation>返回对话</translation>
    </message>
    <message>
        <source>Write one yourself</source>
        <translation>自己写一条</translation>
    </message>
    <message>
        <source>More</source>
        <translation>更多</translation>
    </message>
    <message>
        <source>Import…</source>
        <translation>导入…</translation>
    </message>
    <message>
        <source>Export as JSON…</source>
        <translation>导出为 JSON…</translation>
    </message>
    <message>
        <source>Export as Markdown…</source>
        <translation>导出为 Markdown…</translation>
    </message>
    <message>
        <source>Receipt of what was forgotten last</source>
        <translation>上次忘记内容的清单</translation>
    </message>
    <message>
        <source>Settings of memory</source>
        <translation>记忆设置</translation>
    </message>
    <message>
        <source>Search memories</source>
        <translation>搜索记忆</translation>
    </message>
    <message>
        <source>By words at once, by meaning just after</source>
        <translation>先按字词查找，随后按含义查找</translation>
    </message>
    <message>
        <source>Which memories</source>
        <translation>显示哪些记忆</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>All kinds</source>
        <translation>所有类型</translation>
    </message>
    <message>
        <source>Memories</source>
        <translation>记忆</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>待查看</translation>
    </message>
    <message>
        <source>In use</source>
        <translation>使用中</translation>
    </message>
    <message>
        <source>No longer true</source>
        <translation>已过时</translation>
    </message>
    <message>
        <source>Let memory go on</source>
        <translation>继续使用记忆</translation>
    </message>
    <message>
        <source>Pause memory</source>
        <translation>暂停记忆</translation>
    </message>
    <message>
        <source>For all chats; a single chat has its own way in its options</source>
        <translation>对所有对话生效；单个对话可以在它的选项中另行设置</translation>
    </message>
    <message>
        <source>Memory is paused: nothing is taken from your chats, and answers are told nothing of it.</source>
        <translation>记忆已暂停：不会从你的对话中记住任何内容，回答时也不参考记忆。</translation>
    </message>
    <message numerus="yes">
        <source>%1 memories</source>
        <translation>
            <numerusform>%1 条记忆</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing is remembered yet</source>
        <translation>还没有记住任何内容</translation>
    </message>
    <message>
        <source>Read, search, change and forget them; import and export.</source>
        <translation>查看、搜索、更改和忘记记忆；导入和导出。</translation>
    </message>
    <message>
        <source>list facts export import forget</source>
        <translation>列表 事实 导出 导入 忘记 memory</translation>
    </message>
    <message>
        <source>Write it as http://host:port.</source>
        <translation>请按 http://host:port 的形式填写。</translation>
    </message>
    <message>
        <source>What you said before can help with what you ask now. It lies on this computer.</source>
        <translation>你以前说过的话可以帮助回答现在的问题。记忆保存在这台电脑上。</translation>
    </message>
    <message>
        <source>Chats</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>How memories are found</source>
        <translation>如何查找记忆</translation>
    </message>
    <message>
        <source>For several computers</source>
        <translation>在多台电脑上使用</translation>
    </message>
    <message>
        <source>Memory is paused: nothing is taken from chats, and answers are told nothing.</source>
        <translation>记忆已暂停：不会从对话中记住任何内容，回答时也不参考记忆。</translation>
    </message>
    <message>
        <source>For example: bge-m3</source>
        <translation>例如：bge-m3</translation>
    </message>
    <message>
        <source>An embedding model, which is made for comparing texts; a chat model will not do.</source>
        <translation>请使用专门用来比较文本的嵌入（embedding）模型；对话模型不适用。</translation>
    </message>
    <message>
        <source>Keeps what the search by meaning needs, in place of the data folder: numbers made of your texts, never the texts.</source>
        <translation>按含义搜索所需的数据保存在这个服务器上，而不是数据文件夹里。那是由你的文本算出的数字，绝不会是文本本身。</translation>
    </message>
    <message>
        <source>%1 of %2 texts prepared.</source>
        <translation>已准备 %1 段文本，共 %2 段。</translation>
    </message>
    <message>
        <source>What was kept at the Chroma server that you left could not be deleted there yet: %1. It is tried again from time to time.</source>
        <translation>你不再使用的 Chroma 服务器上的数据还没能删除：%1。会不时重试。</translation>
    </message>
    <message>
        <source>On this computer</source>
        <translation>在这台电脑上</translation>
    </message>
    <message>
        <source>By a provider</source>
        <translation>由服务商处理</translation>
    </message>
    <message>
        <source>By words only</source>
        <translation>仅按字词</translation>
    </message>
    <message>
        <source>Open the memory page</source>
        <translation>打开记忆页面</translation>
    </message>
    <message>
        <source>Provider</source>
        <translation>服务商</translation>
    </message>
    <message>
        <source>Use the data folder</source>
        <translation>使用数据文件夹</translation>
    </message>
    <message>
        <source>Remember from chats</source>
        <translation>从对话中记住</translation>
    </message>
    <message>
        <source>After an answer, what you said about yourself and your plans is noted. Never passwords or keys.</source>
        <translation>每次回答之后，会记下你说过的关于自己和计划的内容。绝不会记下密码或密钥。</translation>
    </message>
    <message>
        <source>extract facts learn</source>
        <translation>提取 事实 学习 记住</translation>
    </message>
    <message>
        <source>endpoint service</source>
        <translation>服务商 服务 接口 endpoint</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Chroma server</source>
        <translation>Chroma 服务器</translation>
    </message>
    <message>
        <source>chroma vector database host port</source>
        <translation>向量 数据库 主机 端口 chroma vector</translation>
    </message>
    <message>
        <source>Token of the server</source>
        <translation>服务器的令牌</translation>
    </message>
    <message>
        <source>Lies with your keys, not in the settings.</source>
        <translation>和你的密钥保存在一起，不写入设置文件。</translation>
    </message>
    <message>
        <source>Do not try any more</source>
        <translation>不再尝试</translation>
    </message>
    <message>
        <source>Choose a provider</source>
        <translation>选择服务商</translation>
    </message>
    <message>
        <source>What answers are told</source>
        <translation>回答时参考的内容</translation>
    </message>
    <message>
        <source>A chat can have its own way instead.</source>
        <translation>单个对话也可以改用别的方式。</translation>
    </message>
    <message>
        <source>recall scope everywhere off</source>
        <translation>回忆 范围 所有对话 关闭 记忆</translation>
    </message>
    <message>
        <source>Search by meaning</source>
        <translation>按含义搜索</translation>
    </message>
    <message>
        <source>vectors embedding semantic words</source>
        <translation>向量 嵌入 语义 字词 含义 embedding</translation>
    </message>
    <message>
        <source>What means the same is found in other words and languages, too. Nothing leaves this computer.</source>
        <translation>意思相同的内容，即使用了别的说法或别的语言，也能找到。任何内容都不会离开这台电脑。</translation>
    </message>
    <message>
        <source>Only texts that share words with the question are found. Nothing leaves this computer.</source>
        <translation>只能找到与问题有相同字词的文本。任何内容都不会离开这台电脑。</translation>
    </message>
    <message>
        <source>All memories, all messages of all chats, and every question you ask are sent to %1, which may keep them and may charge for them.</source>
        <translation>所有记忆、所有对话的全部消息，以及你提出的每个问题，都会发送给 %1；对方可能会保留这些内容，也可能会收费。</translation>
    </message>
    <message>
        <source>All memories, all messages of all chats, and every question you ask are sent to the provider that you choose here, which may keep them and may charge for them. Until you chose one and a model, nothing is sent.</source>
        <translation>所有记忆、所有对话的全部消息，以及你提出的每个问题，都会发送给你在这里选择的服务商；对方可能会保留这些内容，也可能会收费。在你选好服务商和模型之前，不会发送任何内容。</translation>
    </message>
    <message>
        <source>Until then the search goes on as before.</source>
        <translation>完成之前，搜索仍和以前一样。</translation>
    </message>
    <message>
        <source>Ready.</source>
        <translation>就绪。</translation>
    </message>
    <message>
        <source>Only words are compared at the moment.</source>
        <translation>目前只按字词查找。</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>progress index</source>
        <translation>进度 索引</translation>
    </message>
</context>
<context>
    <name>MemoryTray</name>
    <message>
        <source>More than %1 memories wait for your look</source>
        <translation>有超过 %1 条记忆等你查看</translation>
    </message>
    <message numerus="yes">
        <source>%n memories wait for your look</source>
        <translation>
            <numerusform>有 %n 条记忆等你查看</numerusform>
        </translation>
    </message>
    <message>
        <source>Their chats held text that others wrote, such as a web page or a file. No answer is told of them.</source>
        <translation>它们所属的对话含有他人写的文字，例如网页或文件。在你接受之前，回答时不会参考它们。</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>Show all that waits</source>
        <translation>显示所有待查看的记忆</translation>
    </message>
</context>
<context>
    <name>MessageFooter</name>
    <message>
        <source>Cost at the prices that you entered for this model</source>
        <translation>按你为这个模型填写的价格计算的费用</translation>
    </message>
    <message>
        <source>Time of work, without waiting for your answers</source>
        <translation>处理用时，不含等待你答复的时间</translation>
    </message>
    <message>
        <source>Copy answer</source>
        <translation>复制回答</translation>
    </message>
    <message>
        <source>Ask another model</source>
        <translation>询问其他模型</translation>
    </message>
    <message>
        <source>Answer again, by the same model</source>
        <translation>由同一模型重新回答</translation>
    </message>
    <message>
        <source>Go on from here in a new chat</source>
        <translation>从这里开始新的对话</translation>
    </message>
    <message>
        <source>What was sent to the model for this answer</source>
        <translation>为这条回答发送给模型的内容</translation>
    </message>
    <message>
        <source>What was sent</source>
        <translation>发送内容</translation>
    </message>
    <message numerus="yes">
        <source>%Ln memories</source>
        <translation>
            <numerusform>%Ln 条记忆</numerusform>
        </translation>
    </message>
    <message>
        <source>What this answer was told of earlier chats, and why</source>
        <translation>这个回答参考了以前对话中的哪些内容，以及原因</translation>
    </message>
    <message>
        <source>No memories: looking for them took too long</source>
        <translation>没有记忆：查找用时太久</translation>
    </message>
    <message>
        <source>No memories: nothing near enough to the message is known</source>
        <translation>没有记忆：没有与这条消息足够接近的内容</translation>
    </message>
    <message numerus="yes">
        <source>Read: %Ln tokens</source>
        <translation>
            <numerusform>输入：%Ln 个 token</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>of these %Ln had been read before</source>
        <translation>
            <numerusform>其中 %Ln 个命中缓存</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Written: %Ln tokens</source>
        <translation>
            <numerusform>输出：%Ln 个 token</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>of these %Ln for reasoning</source>
        <translation>
            <numerusform>其中 %Ln 个用于思考</numerusform>
        </translation>
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
    <name>ModeButton</name>
    <message>
        <source>Plan first</source>
        <translation>先做计划</translation>
    </message>
    <message>
        <source>Commands of this chat run in %1.</source>
        <translation>此对话的命令在 %1 中运行。</translation>
    </message>
    <message>
        <source>Commands run in %1.</source>
        <translation>命令在 %1 中运行。</translation>
    </message>
    <message>
        <source>Permissions: %1</source>
        <translation>权限：%1</translation>
    </message>
    <message>
        <source>The model shows a plan first</source>
        <translation>模型会先给出计划</translation>
    </message>
</context>
<context>
    <name>ModePopup</name>
    <message>
        <source>Tools in this chat</source>
        <translation>此对话中的工具</translation>
    </message>
    <message>
        <source>Folder for commands</source>
        <translation>运行命令的文件夹</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Use the usual one</source>
        <translation>恢复默认</translation>
    </message>
    <message>
        <source>The model shows its steps first, and nothing runs before you have approved them.</source>
        <translation>模型先列出步骤，在你批准之前不会执行任何操作。</translation>
    </message>
    <message>
        <source>Plan first</source>
        <translation>先做计划</translation>
    </message>
    <message>
        <source>%1 (usual)</source>
        <translation>%1（默认）</translation>
    </message>
    <message>
        <source>Looking whether there is a sandbox…</source>
        <translation>正在检查是否有沙盒…</translation>
    </message>
</context>
<context>
    <name>ModePresenter</name>
    <message>
        <source>Folder for commands of this chat</source>
        <translation>此对话运行命令的文件夹</translation>
    </message>
    <message>
        <source>The folder cannot be made: %1</source>
        <translation>无法创建文件夹：%1</translation>
    </message>
    <message>
        <source>The folder could not be opened.</source>
        <translation>无法打开文件夹。</translation>
    </message>
</context>
<context>
    <name>ModelButton</name>
    <message>
        <source>Model: %1</source>
        <translation>模型：%1</translation>
    </message>
    <message>
        <source>Models: %1</source>
        <translation>模型：%1</translation>
    </message>
    <message>
        <source>Answers come from %1. Click to choose others.</source>
        <translation>由 %1 回答。点击可另行选择。</translation>
    </message>
    <message>
        <source>Answers come from %1. Click to choose another model.</source>
        <translation>由 %1 回答。点击可选择其他模型。</translation>
    </message>
</context>
<context>
    <name>ModelList</name>
    <message>
        <source>Models in the list above the chat</source>
        <translation>显示在对话上方列表中的模型</translation>
    </message>
    <message>
        <source>Name of another model</source>
        <translation>其他模型的名称</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Add the model to the list</source>
        <translation>把模型添加到列表</translation>
    </message>
    <message>
        <source>Remove the selected model from the list</source>
        <translation>从列表中移除所选模型</translation>
    </message>
</context>
<context>
    <name>ModelPicker</name>
    <message>
        <source>Choose a model</source>
        <translation>选择模型</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Search models</source>
        <translation>搜索模型</translation>
    </message>
    <message>
        <source>No model has this name. Others can be added in the settings.</source>
        <translation>没有这个名称的模型。可以在设置中添加其他模型。</translation>
    </message>
    <message>
        <source>Use it for new chats, too</source>
        <translation>新对话也使用它</translation>
    </message>
    <message>
        <source>Ask several models</source>
        <translation>询问多个模型</translation>
    </message>
    <message>
        <source>Each message goes to all of them, at most %1. Number 1 answers in the chat.</source>
        <translation>每条消息会发给所选的全部模型，最多 %1 个。1 号在对话中回答。</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>Built in</source>
        <translation>内置</translation>
    </message>
    <message>
        <source>Set on the command line</source>
        <translation>由命令行指定</translation>
    </message>
    <message numerus="yes">
        <source>%n models are asked</source>
        <translation>
            <numerusform>会询问 %n 个模型</numerusform>
        </translation>
    </message>
    <message>
        <source>Model settings…</source>
        <translation>模型设置…</translation>
    </message>
    <message>
        <source>Not set up any more</source>
        <translation>已不可用</translation>
    </message>
    <message>
        <source>Demo model (answers from a script)</source>
        <translation>演示模型（按脚本作答）</translation>
    </message>
    <message>
        <source>%1, asked, number %2</source>
        <translation>%1，已选，%2 号</translation>
    </message>
    <message>
        <source>%1, not asked</source>
        <translation>%1，未选</translation>
    </message>
    <message>
        <source>%1, in use</source>
        <translation>%1，正在使用</translation>
    </message>
</context>
<context>
    <name>ModelPresenter</name>
    <message>
        <source>Demo model</source>
        <translation>演示模型</translation>
    </message>
    <message numerus="yes">
        <source>%n models</source>
        <translation>
            <numerusform>%n 个模型</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 (not set up any more)</source>
        <translation>%1（已不可用）</translation>
    </message>
    <message>
        <source>The demo model answers from a script</source>
        <translation>由演示模型按脚本作答</translation>
    </message>
    <message>
        <source>Choose a model…</source>
        <translation>选择模型…</translation>
    </message>
    <message>
        <source>%1 will answer from now on</source>
        <translation>今后由 %1 回答</translation>
    </message>
    <message>
        <source>Change…</source>
        <translation>更改…</translation>
    </message>
</context>
<context>
    <name>ModelsPage</name>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Which model answers new chats. A chat stays with the one it began with, until you choose another one in it.</source>
        <translation>选择由哪个模型回答新对话。已有的对话会一直使用开始时的模型，除非你在其中另选一个。</translation>
    </message>
    <message>
        <source>Add a model…</source>
        <translation>添加模型…</translation>
    </message>
    <message>
        <source>Add a model</source>
        <translation>添加模型</translation>
    </message>
    <message>
        <source>No model is set up yet. Add one that runs on this computer, a provider with a key, or another address.</source>
        <translation>还没有设置模型。可以添加这台电脑上运行的模型、使用密钥的服务商，或其他地址。</translation>
    </message>
</context>
<context>
    <name>MoreAboutModel</name>
    <message>
        <source>A number from %1 to %2, or nothing.</source>
        <translation>请输入 %1 到 %2 之间的数字，或留空。</translation>
    </message>
    <message>
        <source>This is no JSON that can be used; look at line %1.</source>
        <translation>这不是可用的 JSON，请检查第 %1 行。</translation>
    </message>
    <message>
        <source>This is no JSON that can be used.</source>
        <translation>这不是可用的 JSON。</translation>
    </message>
    <message>
        <source>This should be a JSON object in braces, such as {&quot;top_k&quot;: 40}.</source>
        <translation>这里应填写用花括号括起来的 JSON 对象，例如 {&quot;top_k&quot;: 40}。</translation>
    </message>
    <message>
        <source>%1 cannot be set here: Threadwell sets it.</source>
        <translation>%1 由 Threadwell 设置，不能在这里更改。</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Context length in tokens</source>
        <translation>上下文长度（token）</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>Thinking</source>
        <translation>思考</translation>
    </message>
    <message>
        <source>Sees images</source>
        <translation>支持图片</translation>
    </message>
    <message>
        <source>Takes tools</source>
        <translation>支持工具</translation>
    </message>
    <message>
        <source>Price in, per million</source>
        <translation>输入价格（每百万）</translation>
    </message>
    <message>
        <source>Price out, per million</source>
        <translation>输出价格（每百万）</translation>
    </message>
    <message>
        <source>Currency</source>
        <translation>货币</translation>
    </message>
    <message>
        <source>Further fields of the request, as JSON</source>
        <translation>附加请求字段（JSON）</translation>
    </message>
    <message>
        <source>As in all chats</source>
        <translation>与所有对话相同</translation>
    </message>
    <message>
        <source>Not known</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Low</source>
        <translation>低</translation>
    </message>
    <message>
        <source>Medium</source>
        <translation>中</translation>
    </message>
    <message>
        <source>High</source>
        <translation>高</translation>
    </message>
    <message>
        <source>Yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>No</source>
        <translation>否</translation>
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
    <name>MoreRows</name>
    <message>
        <source>Whole table</source>
        <translation>完整表格</translation>
    </message>
    <message numerus="yes">
        <source>… and %Ln more rows. Show the whole table</source>
        <translation>
            <numerusform>…还有 %Ln 行。显示完整表格</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Navigation</name>
    <message numerus="yes">
        <source>%n settings found</source>
        <translation>
            <numerusform>找到 %n 项设置</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>NothingHere</name>
    <message>
        <source>Reading the memories…</source>
        <translation>正在读取记忆…</translation>
    </message>
    <message>
        <source>The memories could not be read</source>
        <translation>无法读取记忆</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>When you say something in a chat that is worth knowing later, it is noted here. You can also write down yourself what answers should know.</source>
        <translation>你在对话中说了以后可能有用的内容时，会记在这里。你也可以自己写下回答时应该知道的事。</translation>
    </message>
    <message>
        <source>Nothing is remembered yet</source>
        <translation>还没有记住任何内容</translation>
    </message>
    <message>
        <source>Write one yourself</source>
        <translation>自己写一条</translation>
    </message>
    <message>
        <source>When you say something newer, the memory that is no longer true is kept here.</source>
        <translation>当你说了更新的情况，不再成立的记忆会保留在这里。</translation>
    </message>
    <message>
        <source>Nothing has been replaced yet</source>
        <translation>还没有被替换的记忆</translation>
    </message>
    <message>
        <source>Show what is in use</source>
        <translation>显示正在使用的记忆</translation>
    </message>
    <message>
        <source>What comes from a chat with text that others wrote waits here until you accept it.</source>
        <translation>来自含有他人文字的对话的记忆，会在这里等待你接受。</translation>
    </message>
    <message>
        <source>Nothing waits for your look</source>
        <translation>没有等待你查看的记忆</translation>
    </message>
    <message>
        <source>No memory matches</source>
        <translation>没有符合的记忆</translation>
    </message>
    <message>
        <source>Try other words, or look at another kind or state.</source>
        <translation>可以换个字词、类型或状态试试。</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>显示全部</translation>
    </message>
</context>
<context>
    <name>Notice</name>
    <message>
        <source>%1 (%2 times)</source>
        <translation>%1（%2 次）</translation>
    </message>
    <message>
        <source>Close this message</source>
        <translation>关闭此消息</translation>
    </message>
</context>
<context>
    <name>NoticeArea</name>
    <message numerus="yes">
        <source>%n more messages</source>
        <translation>
            <numerusform>还有 %n 条消息</numerusform>
        </translation>
    </message>
    <message>
        <source>Close all</source>
        <translation>全部关闭</translation>
    </message>
    <message>
        <source>Close all messages</source>
        <translation>关闭所有消息</translation>
    </message>
</context>
<context>
    <name>NoticePresenter</name>
    <message>
        <source>The folder could not be shown</source>
        <translation>无法显示文件夹</translation>
    </message>
    <message>
        <source>No program on this computer opened it. It is here: %1</source>
        <translation>这台电脑上没有程序能打开它。它的位置是：%1</translation>
    </message>
</context>
<context>
    <name>OfferPopup</name>
    <message>
        <source>Prompts</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>What your tool servers hold: it is read when you choose it</source>
        <translation>工具服务器中的资料：选择后才会读取</translation>
    </message>
    <message>
        <source>Your prompts</source>
        <translation>你的提示词</translation>
    </message>
</context>
<context>
    <name>OfferPresenter</name>
    <message>
        <source>Asking the server %1…</source>
        <translation>正在询问服务器 %1…</translation>
    </message>
    <message>
        <source>From %1: %2</source>
        <translation>来自 %1：%2</translation>
    </message>
    <message>
        <source>User</source>
        <translation>用户</translation>
    </message>
    <message>
        <source>Assistant</source>
        <translation>助手</translation>
    </message>
</context>
<context>
    <name>OptionFields</name>
    <message>
        <source>More options</source>
        <translation>更多选项</translation>
    </message>
    <message>
        <source>Client ID for signing in (optional)</source>
        <translation>登录用的客户端 ID（可不填）</translation>
    </message>
    <message>
        <source>Only where the server&apos;s instructions give you one; else Threadwell gets its own.</source>
        <translation>仅在服务器的说明提供时填写；否则 Threadwell 会自行获取。</translation>
    </message>
    <message>
        <source>Client secret (optional)</source>
        <translation>客户端密钥（可不填）</translation>
    </message>
    <message>
        <source>The address to return to, if you are asked for one: http://127.0.0.1/callback</source>
        <translation>如果要求填写返回地址（回调地址），请填：http://127.0.0.1/callback</translation>
    </message>
    <message>
        <source>Connection</source>
        <translation>连接方式</translation>
    </message>
    <message>
        <source>Take the older one only for a server whose instructions say SSE.</source>
        <translation>只有服务器的说明写着 SSE 时才选择旧的方式。</translation>
    </message>
    <message>
        <source>Time limit for a call, in seconds (optional)</source>
        <translation>每次调用的时间限制，秒（可不填）</translation>
    </message>
    <message>
        <source>Time in which you are being asked does not count.</source>
        <translation>等待你答复的时间不计算在内。</translation>
    </message>
    <message>
        <source>Protocol</source>
        <translation>协议</translation>
    </message>
    <message>
        <source>Automatic tries the older one first, in which every server can ask you questions.</source>
        <translation>“自动”会先尝试旧协议，使用它时每个服务器都能向你提问。</translation>
    </message>
    <message>
        <source>Folder of the chat</source>
        <translation>对话的文件夹</translation>
    </message>
    <message>
        <source>Whether the server may ask in which folder the chat works. It is told of no other folder.</source>
        <translation>服务器能否询问此对话使用哪个文件夹。不会告诉它其他文件夹。</translation>
    </message>
    <message>
        <source>May ask your model</source>
        <translation>可请求使用你的模型</translation>
    </message>
    <message>
        <source>Whether the server may have the model of the chat write something for it. Each time you see its text first and can refuse. It uses your tokens, which may cost money, and never sees the chat.</source>
        <translation>是否允许服务器让对话所用的模型为它写东西。每次你都会先看到它的文字，并可以拒绝。这会用掉你的 token，可能产生费用；服务器永远看不到对话内容。</translation>
    </message>
    <message>
        <source>Streamable HTTP (usual)</source>
        <translation>Streamable HTTP（常用）</translation>
    </message>
    <message>
        <source>SSE (older)</source>
        <translation>SSE（旧）</translation>
    </message>
    <message>
        <source>The server is not told</source>
        <translation>不告诉服务器</translation>
    </message>
    <message>
        <source>The server may ask for it</source>
        <translation>服务器可以询问</translation>
    </message>
    <message>
        <source>No (usual)</source>
        <translation>不允许（默认）</translation>
    </message>
    <message>
        <source>Yes, and I am asked each time</source>
        <translation>允许，每次都先问我</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Older (up to 2025-11-25)</source>
        <translation>旧（到 2025-11-25）</translation>
    </message>
    <message>
        <source>Newer (2026-07-28)</source>
        <translation>新（2026-07-28）</translation>
    </message>
</context>
<context>
    <name>OriginButton</name>
    <message>
        <source>Where this chat was branched from</source>
        <translation>这段对话从哪里分出</translation>
    </message>
    <message>
        <source>Branched from %1</source>
        <translation>分支自 %1</translation>
    </message>
    <message>
        <source>a chat without a title</source>
        <translation>无标题的对话</translation>
    </message>
    <message>
        <source>It is in the Trash.</source>
        <translation>它在回收站中。</translation>
    </message>
    <message>
        <source>Click to go to where it leaves that chat.</source>
        <translation>点击可回到原对话中分开的位置。</translation>
    </message>
    <message>
        <source>%1. %2</source>
        <translation>%1。%2</translation>
    </message>
</context>
<context>
    <name>PalettePanel</name>
    <message>
        <source>Go to a chat or run an action</source>
        <translation>转到对话或执行操作</translation>
    </message>
    <message>
        <source>Go to a chat</source>
        <translation>转到对话</translation>
    </message>
    <message>
        <source>Run an action</source>
        <translation>执行操作</translation>
    </message>
    <message>
        <source>Chats and actions</source>
        <translation>对话和操作</translation>
    </message>
    <message>
        <source>↑ ↓ choose  ·  Enter opens  ·  Esc closes  ·  &gt; only actions</source>
        <translation>↑ ↓ 选择  ·  Enter 打开  ·  Esc 关闭  ·  &gt; 仅操作</translation>
    </message>
</context>
<context>
    <name>PalettePresenter</name>
    <message>
        <source>No action is called like this.</source>
        <translation>没有这样的操作。</translation>
    </message>
    <message>
        <source>There are no chats yet.</source>
        <translation>还没有对话。</translation>
    </message>
</context>
<context>
    <name>PastedChip</name>
    <message>
        <source>Show: %1</source>
        <translation>查看：%1</translation>
    </message>
    <message>
        <source>Show the text</source>
        <translation>查看文本</translation>
    </message>
    <message>
        <source>Put the text into the message field</source>
        <translation>把文本放进输入框</translation>
    </message>
    <message>
        <source>Remove the pasted text</source>
        <translation>移除粘贴的文本</translation>
    </message>
</context>
<context>
    <name>PastedText</name>
    <message>
        <source>Pasted text, {size}</source>
        <translation>粘贴的文本，{size}</translation>
    </message>
    <message>
        <source>Pasted text, %Ln lines, {size}</source>
        <translation>粘贴的文本，%Ln 行，{size}</translation>
    </message>
</context>
<context>
    <name>PermissionsPage</name>
    <message>
        <source>Permissions</source>
        <translation>权限</translation>
    </message>
    <message>
        <source>What you allowed for a chat or for good. Once revoked, Threadwell asks again.</source>
        <translation>你为某个对话允许或始终允许的操作。收回后，Threadwell 会重新询问。</translation>
    </message>
    <message>
        <source>Revoke all</source>
        <translation>全部收回</translation>
    </message>
    <message>
        <source>Filter by command, tool, server, folder or chat</source>
        <translation>按命令、工具、服务器、文件夹或对话筛选</translation>
    </message>
    <message>
        <source>Filter the permissions</source>
        <translation>筛选权限</translation>
    </message>
    <message>
        <source>Show more</source>
        <translation>显示更多</translation>
    </message>
    <message>
        <source>History of decisions and calls</source>
        <translation>决定与调用记录</translation>
    </message>
    <message>
        <source>Every call of a tool: what exactly was to run, who decided, and how it ended.</source>
        <translation>工具的每次调用：具体要运行什么、由谁决定、结果如何。</translation>
    </message>
    <message>
        <source>ledger log record journal search</source>
        <translation>记录 日志 历史 搜索 ledger log</translation>
    </message>
    <message>
        <source>Show…</source>
        <translation>查看…</translation>
    </message>
    <message>
        <source>Show the history of decisions and calls</source>
        <translation>查看决定与调用记录</translation>
    </message>
    <message>
        <source>All are in effect.</source>
        <translation>全部有效。</translation>
    </message>
    <message numerus="yes">
        <source>%n are in effect.</source>
        <translation>
            <numerusform>其中 %n 项有效。</numerusform>
        </translation>
    </message>
    <message>
        <source>None of them is in effect now.</source>
        <translation>目前均不起作用。</translation>
    </message>
    <message numerus="yes">
        <source>%n permissions</source>
        <translation>
            <numerusform>%n 项权限</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing is allowed in advance</source>
        <translation>没有预先允许任何操作</translation>
    </message>
    <message>
        <source>Threadwell asks before a tool call; only built-in tools that change nothing, such as the calculator, and harmless commands in the sandbox run unasked. What you allow for a chat or for good is listed here.</source>
        <translation>调用工具之前，Threadwell 会询问你；只有不作更改的内置工具（例如计算器）和沙盒中的无害命令会直接运行。你在某个对话中允许或始终允许的操作列在这里。</translation>
    </message>
    <message>
        <source>Looking whether there is a sandbox…</source>
        <translation>正在检查是否有沙盒…</translation>
    </message>
    <message>
        <source>Sandbox for commands</source>
        <translation>命令的沙盒</translation>
    </message>
    <message>
        <source>bubblewrap isolation network folder</source>
        <translation>沙盒 隔离 网络 文件夹 bubblewrap</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Try the sandbox again</source>
        <translation>重新尝试沙盒</translation>
    </message>
    <message>
        <source>No permission matches the filter</source>
        <translation>没有符合筛选条件的权限</translation>
    </message>
</context>
<context>
    <name>PermissionsPresenter</name>
    <message numerus="yes">
        <source>%n permissions revoked</source>
        <translation>
            <numerusform>已收回 %n 项权限</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PinNotices</name>
    <message>
        <source>The instructions of “%1” changed and wait for you</source>
        <translation>“%1”的指令有变化，等你查看</translation>
    </message>
    <message numerus="yes">
        <source>%n tools of “%1” changed and wait for you</source>
        <translation>
            <numerusform>“%1”有 %n 个工具有变化，等你查看</numerusform>
        </translation>
    </message>
    <message>
        <source>They are not used until you have looked at what changed.</source>
        <translation>在你查看变化之前不会使用它们。</translation>
    </message>
    <message>
        <source>Look at the changes…</source>
        <translation>查看变化…</translation>
    </message>
</context>
<context>
    <name>PlanCard</name>
    <message>
        <source>waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>running</source>
        <translation>进行中</translation>
    </message>
    <message>
        <source>done</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>not done</source>
        <translation>未执行</translation>
    </message>
    <message>
        <source>interrupted</source>
        <translation>已中断</translation>
    </message>
    <message>
        <source>Waits for your approval</source>
        <translation>等待你的批准</translation>
    </message>
    <message>
        <source>%1 of %2 done</source>
        <translation>已完成 %1/%2</translation>
    </message>
    <message>
        <source>Interrupted, %1 of %2 done</source>
        <translation>已中断，完成 %1/%2</translation>
    </message>
    <message>
        <source>You refused it, %1 of %2 done</source>
        <translation>你已拒绝，完成 %1/%2</translation>
    </message>
    <message>
        <source>Answered without it</source>
        <translation>未按计划回答</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>Ended, %1 of %2 done</source>
        <translation>已结束，完成 %1/%2</translation>
    </message>
    <message>
        <source>A step failed. The rest is planned anew and waits for your approval</source>
        <translation>有一步失败了。其余步骤已重新计划，等待你的批准</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>计划</translation>
    </message>
    <message numerus="yes">
        <source>%n steps</source>
        <translation>
            <numerusform>%n 个步骤</numerusform>
        </translation>
    </message>
    <message>
        <source>Add a step</source>
        <translation>添加步骤</translation>
    </message>
    <message>
        <source>A plan has at most %1 steps</source>
        <translation>一个计划最多 %1 个步骤</translation>
    </message>
    <message>
        <source>Go on by itself when a step fails</source>
        <translation>某一步失败时自动继续</translation>
    </message>
    <message>
        <source>The steps that follow a failed one are planned anew without asking you again</source>
        <translation>失败之后的步骤会重新计划，不再询问你</translation>
    </message>
    <message>
        <source>Go on with this</source>
        <translation>按此继续</translation>
    </message>
    <message>
        <source>Carry out this plan</source>
        <translation>执行此计划</translation>
    </message>
    <message>
        <source>Answer now</source>
        <translation>直接回答</translation>
    </message>
    <message>
        <source>Answer without a plan</source>
        <translation>不用计划，直接回答</translation>
    </message>
    <message>
        <source>Refuse</source>
        <translation>拒绝</translation>
    </message>
    <message>
        <source>Refuse the plan</source>
        <translation>拒绝此计划</translation>
    </message>
    <message>
        <source>Nothing of it runs</source>
        <translation>其中任何步骤都不会执行</translation>
    </message>
</context>
<context>
    <name>PlanField</name>
    <message>
        <source>%1.</source>
        <translation>%1.</translation>
    </message>
    <message>
        <source>Enter adds a step below, Alt+Up and Alt+Down move this one</source>
        <translation>按 Enter 在下方添加步骤，按 Alt+上/下 移动此步骤</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>步骤 %1</translation>
    </message>
    <message>
        <source>Move step %1 up</source>
        <translation>上移步骤 %1</translation>
    </message>
    <message>
        <source>Move step %1 down</source>
        <translation>下移步骤 %1</translation>
    </message>
    <message>
        <source>Remove step %1</source>
        <translation>删除步骤 %1</translation>
    </message>
</context>
<context>
    <name>PlanLine</name>
    <message>
        <source>%1. %2</source>
        <translation>%1. %2</translation>
    </message>
    <message>
        <source>New since the step above failed</source>
        <translation>上面的步骤失败后新加的</translation>
    </message>
    <message>
        <source>Step %1, %2</source>
        <translation>步骤 %1，%2</translation>
    </message>
    <message>
        <source>The tool %1 did not succeed.</source>
        <translation>工具 %1 没有成功。</translation>
    </message>
    <message>
        <source>It took more requests than one step may take.</source>
        <translation>所需请求数超过了一个步骤的上限。</translation>
    </message>
    <message>
        <source>The model said nothing.</source>
        <translation>模型什么也没说。</translation>
    </message>
    <message>
        <source>The model says that it cannot be done.</source>
        <translation>模型表示无法完成。</translation>
    </message>
</context>
<context>
    <name>PlanPresenter</name>
    <message>
        <source>A plan waits for your approval</source>
        <translation>有一个计划等待你的批准</translation>
    </message>
</context>
<context>
    <name>PlanStepLine</name>
    <message>
        <source>Step %1: %2</source>
        <translation>步骤 %1：%2</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Result of the plan</source>
        <translation>计划的结果</translation>
    </message>
</context>
<context>
    <name>ProgramsPart</name>
    <message>
        <source>Found on this computer</source>
        <translation>在这台电脑上找到的</translation>
    </message>
    <message>
        <source>Servers are started with these. They are looked for where your login shell would find them.</source>
        <translation>服务器由这些程序启动。查找的位置与你登录终端时相同。</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>重新查找</translation>
    </message>
    <message>
        <source>Looking…</source>
        <translation>正在查找…</translation>
    </message>
    <message>
        <source>not found</source>
        <translation>没有找到</translation>
    </message>
    <message>
        <source>comes with Threadwell</source>
        <translation>Threadwell 自带</translation>
    </message>
    <message>
        <source>fetched by Threadwell</source>
        <translation>由 Threadwell 下载</translation>
    </message>
    <message>
        <source>%1 (in its usual folder, not on the search path)</source>
        <translation>%1（在常用文件夹中，不在搜索路径上）</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>Node 运行环境</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Fetch Node</source>
        <translation>下载 Node</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Cancel fetching Node</source>
        <translation>取消下载 Node</translation>
    </message>
    <message>
        <source>Remove the fetched Node</source>
        <translation>移除下载的 Node</translation>
    </message>
    <message>
        <source>Fetching Node</source>
        <translation>正在下载 Node</translation>
    </message>
    <message>
        <source>Servers that are started with npx use it.</source>
        <translation>用 npx 启动的服务器会使用它。</translation>
    </message>
    <message>
        <source>Many servers need it. %1 (%2) is fetched from %3: %4 MB, %5 MB on the disk, into %6.</source>
        <translation>很多服务器需要它。会从 %3 下载 %1（%2）：%4 MB，占用磁盘 %5 MB，存放到 %6。</translation>
    </message>
    <message>
        <source>It could not be fetched: %1 cannot be reached. Is this computer online?</source>
        <translation>无法下载：连接不上 %1。这台电脑联网了吗？</translation>
    </message>
    <message>
        <source>It could not be fetched: there is no room on the disk.</source>
        <translation>无法下载：磁盘空间不足。</translation>
    </message>
    <message>
        <source>It could not be fetched. %1</source>
        <translation>无法下载。%1</translation>
    </message>
</context>
<context>
    <name>PromptChooser</name>
    <message>
        <source>Choose a prompt</source>
        <translation>选择提示词</translation>
    </message>
    <message>
        <source>Search prompts</source>
        <translation>搜索提示词</translation>
    </message>
    <message>
        <source>Your prompts</source>
        <translation>你的提示词</translation>
    </message>
    <message>
        <source>No prompt fits your search.</source>
        <translation>没有符合搜索的提示词。</translation>
    </message>
    <message>
        <source>No prompts yet</source>
        <translation>还没有提示词</translation>
    </message>
    <message>
        <source>All prompts…</source>
        <translation>所有提示词…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>使用</translation>
    </message>
</context>
<context>
    <name>PromptDialog</name>
    <message>
        <source>{count} more waiting</source>
        <translation>还有 {count} 个在等待</translation>
    </message>
    <message>
        <source>Your answer is needed: {question}</source>
        <translation>需要你的答复：{question}</translation>
    </message>
    <message>
        <source>Refuse all</source>
        <translation>全部拒绝</translation>
    </message>
    <message>
        <source>Refuse this question and all that wait</source>
        <translation>拒绝这个问题和所有等待中的问题</translation>
    </message>
    <message>
        <source>Go to this window first: while another one is in front, nothing can be allowed here.</source>
        <translation>请先切换到这个窗口：其他窗口在前面时，这里不能允许任何操作。</translation>
    </message>
    <message>
        <source>One moment: this window has just moved or come to the front.</source>
        <translation>请稍候：这个窗口刚刚移动过，或刚刚来到前面。</translation>
    </message>
</context>
<context>
    <name>PromptEditDialog</name>
    <message>
        <source>Your library is full. Delete prompts that you no longer need, then save this one again.</source>
        <translation>提示词库已满。请先删除不再需要的提示词，再保存这一条。</translation>
    </message>
    <message>
        <source>To fill in: %1</source>
        <translation>要填写：%1</translation>
    </message>
    <message>
        <source>Too long: %1 of at most %2 characters.</source>
        <translation>太长了：%1 个字符，最多 %2 个。</translation>
    </message>
    <message>
        <source>Not saved yet.</source>
        <translation>尚未保存。</translation>
    </message>
    <message>
        <source>New prompt</source>
        <translation>新提示词</translation>
    </message>
    <message>
        <source>Edit the prompt</source>
        <translation>编辑提示词</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>What it is for (may stay empty)</source>
        <translation>用途（可以不填）</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>For example: Sum up</source>
        <translation>例如：总结</translation>
    </message>
    <message>
        <source>For example: Sum up the following text in {{sentences=three}} sentences:</source>
        <translation>例如：用{{几句话=三句话}}总结下面的文字：</translation>
    </message>
    <message>
        <source>What changes each time goes in double braces: {{name}}, with a usual value {{city=Berlin}}, or with choices {{tone:formal|friendly}}. {{date}} and {{time}} fill in by themselves; {{selection}} is what you selected in the chat, {{clipboard}} what you paste.</source>
        <translation>每次不同的部分写在双花括号里：{{姓名}}；带默认值 {{城市=上海}}；带选项 {{语气:正式|友好}}。{{日期}} 和 {{时间}} 会自动填写；{{选中文字}} 是你在对话中选中的文字，{{剪贴板}} 是你粘贴的内容。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
</context>
<context>
    <name>PromptListModel</name>
    <message numerus="yes">
        <source>used %n times</source>
        <translation>
            <numerusform>用过 %n 次</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PromptsInWindow</name>
    <message>
        <source>This text is too long for a prompt.</source>
        <translation>这段文字太长，不能作为提示词。</translation>
    </message>
    <message>
        <source>“%1” is one of your prompts now</source>
        <translation>“%1”已加入你的提示词</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>查看</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>使用</translation>
    </message>
</context>
<context>
    <name>PromptsPage</name>
    <message>
        <source>Prompts</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>Texts that you write again and again. Type / at the beginning of a line of your message to insert one; what changes each time is asked for. Nothing is sent by itself.</source>
        <translation>你反复要写的文字。在消息一行的开头输入 / 即可插入；每次不同的部分会请你填写。不会自动发送任何内容。</translation>
    </message>
    <message>
        <source>Your prompts</source>
        <translation>你的提示词</translation>
    </message>
    <message>
        <source>Files from other programs can be imported, too; nothing of yours is overwritten.</source>
        <translation>也可以导入其他程序的文件；你已有的内容不会被覆盖。</translation>
    </message>
    <message>
        <source>template snippet library slash</source>
        <translation>模板 片段 库 斜杠 template snippet</translation>
    </message>
    <message>
        <source>New prompt…</source>
        <translation>新提示词…</translation>
    </message>
    <message>
        <source>Import…</source>
        <translation>导入…</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>编辑…</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>复制一份</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>上移</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>下移</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Sort…</source>
        <translation>排序…</translation>
    </message>
    <message>
        <source>Add examples</source>
        <translation>添加示例</translation>
    </message>
    <message>
        <source>Search prompts</source>
        <translation>搜索提示词</translation>
    </message>
    <message>
        <source>No prompts yet</source>
        <translation>还没有提示词</translation>
    </message>
    <message>
        <source>Write your own, or begin with a few examples.</source>
        <translation>自己写一条，或者从几个示例开始。</translation>
    </message>
    <message>
        <source>No prompt fits your search.</source>
        <translation>没有符合搜索的提示词。</translation>
    </message>
    <message>
        <source>JSON, to be imported again…</source>
        <translation>JSON（可再次导入）…</translation>
    </message>
    <message>
        <source>Markdown, to be read…</source>
        <translation>Markdown（便于阅读）…</translation>
    </message>
    <message>
        <source>By name</source>
        <translation>按名称</translation>
    </message>
    <message>
        <source>Most used first</source>
        <translation>最常用的在前</translation>
    </message>
</context>
<context>
    <name>PromptsPresenter</name>
    <message>
        <source>Your library of prompts is full</source>
        <translation>提示词库已满</translation>
    </message>
    <message>
        <source>Delete prompts that you no longer need, then try again.</source>
        <translation>请先删除不再需要的提示词，再试一次。</translation>
    </message>
    <message>
        <source>“%1” was deleted</source>
        <translation>已删除“%1”</translation>
    </message>
    <message numerus="yes">
        <source>%n prompts were deleted</source>
        <translation>
            <numerusform>已删除 %n 条提示词</numerusform>
        </translation>
    </message>
    <message>
        <source>Your prompts were sorted</source>
        <translation>提示词已排序</translation>
    </message>
    <message>
        <source>Import prompts</source>
        <translation>导入提示词</translation>
    </message>
    <message>
        <source>Prompts (*.json *.md *.markdown *.txt)</source>
        <translation>提示词 (*.json *.md *.markdown *.txt)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message numerus="yes">
        <source>%n prompts added</source>
        <translation>
            <numerusform>已添加 %n 条提示词</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n were there already</source>
        <translation>
            <numerusform>%n 条已经存在</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>For %n there was no room</source>
        <translation>
            <numerusform>%n 条放不下</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n could not be read</source>
        <translation>
            <numerusform>%n 条无法读取</numerusform>
        </translation>
    </message>
    <message>
        <source>“%1” is too large. Split it, and import the parts.</source>
        <translation>“%1”太大。请拆分后分别导入。</translation>
    </message>
    <message>
        <source>“%1” is no text. Prompts come as JSON, Markdown or plain text.</source>
        <translation>“%1”不是文本。提示词应为 JSON、Markdown 或纯文本。</translation>
    </message>
    <message>
        <source>“%1” begins as JSON, but it is incomplete or damaged. Export it once more.</source>
        <translation>“%1”的开头是 JSON，但内容不完整或已损坏。请重新导出一次。</translation>
    </message>
    <message>
        <source>“%1” was written by a newer version of this program. Update this one, then try again.</source>
        <translation>“%1”由本程序的更新版本写成。请先升级，再试一次。</translation>
    </message>
    <message>
        <source>In “%1” there is no prompt with a name and a text.</source>
        <translation>“%1”中没有带名称和内容的提示词。</translation>
    </message>
    <message>
        <source>No prompts were imported</source>
        <translation>没有导入任何提示词</translation>
    </message>
    <message>
        <source>Export prompts</source>
        <translation>导出提示词</translation>
    </message>
    <message>
        <source>Prompts</source>
        <translation>提示词</translation>
    </message>
    <message numerus="yes">
        <source>%n prompts exported to %1</source>
        <translation>
            <numerusform>已将 %n 条提示词导出到 %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ProvidersPresenter</name>
    <message>
        <source>“%1” removed. The demo model answers now.</source>
        <translation>已移除“%1”，现在由演示模型回答。</translation>
    </message>
    <message numerus="yes">
        <source>%n models removed. The demo model answers now.</source>
        <translation>
            <numerusform>已移除 %n 个模型，现在由演示模型回答。</numerusform>
        </translation>
    </message>
    <message>
        <source>“%1” removed</source>
        <translation>已移除“%1”</translation>
    </message>
    <message numerus="yes">
        <source>%n models removed</source>
        <translation>
            <numerusform>已移除 %n 个模型</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>QuestionTools</name>
    <message>
        <source>Edit and send again</source>
        <translation>修改后重新发送</translation>
    </message>
    <message>
        <source>Copy message</source>
        <translation>复制消息</translation>
    </message>
    <message>
        <source>Ask this in a new chat</source>
        <translation>在新对话中提问</translation>
    </message>
</context>
<context>
    <name>QueueEditor</name>
    <message>
        <source>This message is too long. Shorten it, or send it in parts.</source>
        <translation>这条消息太长了。请缩短，或分几次发送。</translation>
    </message>
    <message>
        <source>Files go with a new message: attach them below.</source>
        <translation>文件只能随新消息发送：请在下方添加。</translation>
    </message>
    <message numerus="yes">
        <source>%n pasted texts go along</source>
        <translation>
            <numerusform>附带 %n 段粘贴的文本</numerusform>
        </translation>
    </message>
    <message>
        <source>Change the message that waits</source>
        <translation>修改排队的消息</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Save the change</source>
        <translation>保存修改</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Give up the change</source>
        <translation>放弃修改</translation>
    </message>
</context>
<context>
    <name>QueuePanel</name>
    <message>
        <source>Send</source>
        <translation>发送</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>继续发送</translation>
    </message>
    <message>
        <source>Send what waits, one after the other</source>
        <translation>依次发送排队的消息</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>全部移除</translation>
    </message>
    <message>
        <source>Remove all that waits</source>
        <translation>移除所有排队的消息</translation>
    </message>
    <message numerus="yes">
        <source>%n messages were not sent yet.</source>
        <translation>
            <numerusform>有 %n 条消息还没有发送。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>You stopped the answer. %n messages wait.</source>
        <translation>
            <numerusform>你停止了回答，%n 条消息在排队。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The answer failed. %n messages wait.</source>
        <translation>
            <numerusform>回答失败了，%n 条消息在排队。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The answer is not complete. %n messages wait.</source>
        <translation>
            <numerusform>回答不完整，%n 条消息在排队。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The next message could not be sent. %n messages wait.</source>
        <translation>
            <numerusform>下一条消息没能发送，%n 条消息在排队。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n messages wait until you have changed yours.</source>
        <translation>
            <numerusform>%n 条消息在等你修改完。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n messages are sent when the answer is done.</source>
        <translation>
            <numerusform>回答结束后会依次发送 %n 条消息。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>QueuePresenter</name>
    <message numerus="yes">
        <source>%n messages will not be sent</source>
        <translation>
            <numerusform>%n 条消息不会再发送</numerusform>
        </translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
</context>
<context>
    <name>QueueRow</name>
    <message>
        <source>Being sent…</source>
        <translation>正在发送…</translation>
    </message>
    <message numerus="yes">
        <source>%n files or texts</source>
        <translation>
            <numerusform>%n 个文件或文本</numerusform>
        </translation>
    </message>
    <message>
        <source>Waits: %1</source>
        <translation>排队中：%1</translation>
    </message>
    <message>
        <source>Change: %1</source>
        <translation>修改：%1</translation>
    </message>
    <message>
        <source>Change this message</source>
        <translation>修改这条消息</translation>
    </message>
    <message>
        <source>Send before the one above: %1</source>
        <translation>移到上一条之前发送：%1</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>上移</translation>
    </message>
    <message>
        <source>Stop the answer and send this now</source>
        <translation>停止回答，立即发送这条</translation>
    </message>
    <message>
        <source>Send this now</source>
        <translation>立即发送</translation>
    </message>
    <message>
        <source>Remove: %1</source>
        <translation>移除：%1</translation>
    </message>
    <message>
        <source>Remove this message</source>
        <translation>移除这条消息</translation>
    </message>
</context>
<context>
    <name>ReadingFeature</name>
    <message>
        <source>Load this picture from {host}?</source>
        <translation>要从 {host} 加载这张图片吗？</translation>
    </message>
    <message>
        <source>It is fetched from there once, without cookies. {host} then learns your internet address, and that somebody looks at this picture; an address made for that can also tell what the chat is about. The picture is kept until the window is closed.</source>
        <translation>只会从那里获取一次，不带 Cookie。{host} 会由此得知你的网络地址，以及有人在看这张图片；专门构造的地址还可能透露对话的内容。图片会保留到窗口关闭为止。</translation>
    </message>
    <message>
        <source>Load picture</source>
        <translation>加载图片</translation>
    </message>
    <message>
        <source>Loading a picture from %1 …</source>
        <translation>正在从 %1 加载图片…</translation>
    </message>
    <message>
        <source>The whole address</source>
        <translation>完整地址</translation>
    </message>
    <message>
        <source>Save as</source>
        <translation>另存为</translation>
    </message>
    <message>
        <source>Saved as %1</source>
        <translation>已保存为 %1</translation>
    </message>
</context>
<context>
    <name>RecalledPopup</name>
    <message numerus="yes">
        <source>%Ln memories</source>
        <translation>
            <numerusform>%Ln 条记忆</numerusform>
        </translation>
    </message>
    <message>
        <source>What the app told the model with your message. The model may have used it or not.</source>
        <translation>应用随你的消息告诉模型的内容。模型可能用到了，也可能没有。</translation>
    </message>
    <message>
        <source>What the app told the model with your message, found by its words alone.</source>
        <translation>应用随你的消息告诉模型的内容，仅按字词找到。</translation>
    </message>
    <message>
        <source>What this chat is told…</source>
        <translation>此对话参考哪些内容…</translation>
    </message>
    <message>
        <source>Wishes that hold for every answer</source>
        <translation>对每个回答都有效的长期要求</translation>
    </message>
    <message>
        <source>Forgotten since</source>
        <translation>后来已忘记</translation>
    </message>
    <message>
        <source>changed since</source>
        <translation>之后有修改</translation>
    </message>
    <message>
        <source>You said</source>
        <translation>你说过</translation>
    </message>
    <message>
        <source>An answer</source>
        <translation>某个回答</translation>
    </message>
    <message>
        <source>From the file “%1”</source>
        <translation>来自文件“%1”</translation>
    </message>
    <message>
        <source>in this chat</source>
        <translation>在此对话中</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>in “%1”</source>
        <translation>在“%1”中</translation>
    </message>
    <message>
        <source>pinned, so it goes with every message</source>
        <translation>已固定，每条消息都会附上</translation>
    </message>
    <message>
        <source>found by words and meaning</source>
        <translation>按字词和含义找到</translation>
    </message>
    <message>
        <source>found by meaning</source>
        <translation>按含义找到</translation>
    </message>
    <message>
        <source>found by words</source>
        <translation>按字词找到</translation>
    </message>
    <message>
        <source>%1, %2 %</source>
        <translation>%1，%2%</translation>
    </message>
    <message>
        <source>Go to the message</source>
        <translation>转到消息</translation>
    </message>
    <message>
        <source>Show the file</source>
        <translation>显示文件</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>忘记</translation>
    </message>
</context>
<context>
    <name>RecalledPresenter</name>
    <message>
        <source>The file is gone.</source>
        <translation>文件已不存在。</translation>
    </message>
</context>
<context>
    <name>ReceiptDialog</name>
    <message numerus="yes">
        <source>chats with their titles, options and drafts</source>
        <translation>
            <numerusform>个对话，连同标题、选项和草稿</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>messages with all their parts</source>
        <translation>
            <numerusform>条消息，连同其中的所有部分</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>results of tools</source>
        <translation>
            <numerusform>个工具结果</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>memories</source>
        <translation>
            <numerusform>条记忆</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>documents as knowledge; the files themselves stay</source>
        <translation>
            <numerusform>份作为资料的文档；文件本身保留</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>of your own words, quoted with memories</source>
        <translation>
            <numerusform>处你自己说过的话，由记忆引用</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>entries of the search by words</source>
        <translation>
            <numerusform>条按字词搜索的索引</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>entries of the search by meaning</source>
        <translation>
            <numerusform>条按含义搜索的索引</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>summaries</source>
        <translation>
            <numerusform>份摘要</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>summaries that are written anew</source>
        <translation>
            <numerusform>份会重新生成的摘要</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>files</source>
        <translation>
            <numerusform>个文件</numerusform>
        </translation>
    </message>
    <message>
        <source>What is remembered of it stays, without the words, until you forget it.</source>
        <translation>由此记住的内容会保留（不再引用原话），直到你忘记它。</translation>
    </message>
    <message>
        <source>Backups of your computer, copies that you made of the data folder, and a damaged database that was set aside in it.</source>
        <translation>你电脑的备份、你对数据文件夹所做的拷贝，以及因损坏而留存在其中的旧数据库。</translation>
    </message>
    <message>
        <source>Backups that Threadwell made before, which may still hold it. They lie in:</source>
        <translation>Threadwell 之前做的备份，其中可能仍有这些内容。位于：</translation>
    </message>
    <message numerus="yes">
        <source>records of what tools did</source>
        <translation>
            <numerusform>条工具操作的记录</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>records of what a model was sent</source>
        <translation>
            <numerusform>条发送给模型的内容的记录</numerusform>
        </translation>
    </message>
    <message>
        <source>Removed for good</source>
        <translation>已彻底移除</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>This is no longer on the disk in the data folder of Threadwell:</source>
        <translation>以下内容已不在磁盘上的 Threadwell 数据文件夹中：</translation>
    </message>
    <message>
        <source>This was removed from the data folder of Threadwell:</source>
        <translation>以下内容已从 Threadwell 的数据文件夹中移除：</translation>
    </message>
    <message>
        <source>Some of it could not be cleaned from the disk yet. That is done at the next start.</source>
        <translation>其中一部分还没能从磁盘上清除，会在下次启动时清除。</translation>
    </message>
    <message>
        <source>The Chroma server at %1 could not be reached. What it holds of this is deleted there as soon as it answers.</source>
        <translation>无法连接 %1 上的 Chroma 服务器。它那里与此有关的内容会在其恢复响应后立即删除。</translation>
    </message>
    <message>
        <source>Outside the reach of Threadwell</source>
        <translation>Threadwell 无法处理的部分</translation>
    </message>
    <message>
        <source>Files that you exported, and text that you copied elsewhere.</source>
        <translation>你导出的文件，以及你复制到别处的文字。</translation>
    </message>
    <message>
        <source>What was sent to a model&apos;s provider, to a tool server or to a Chroma server, which may keep it.</source>
        <translation>已发送给模型服务商、工具服务器或 Chroma 服务器的内容，对方可能会保留。</translation>
    </message>
    <message>
        <source>Your messages that they came from stay in their chats until you delete those for good.</source>
        <translation>你在对话中写下的原话仍保留在对话里，彻底删除对话后才会移除。</translation>
    </message>
</context>
<context>
    <name>Receipts</name>
    <message numerus="yes">
        <source>%n messages are gone for good</source>
        <translation>
            <numerusform>%n 条消息已彻底删除</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n results are gone for good</source>
        <translation>
            <numerusform>%n 个工具结果已彻底删除</numerusform>
        </translation>
    </message>
    <message>
        <source>Memories and documents are gone for good</source>
        <translation>记忆和文档已彻底删除</translation>
    </message>
    <message numerus="yes">
        <source>%n documents are gone for good</source>
        <translation>
            <numerusform>%n 份文档已彻底删除</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n memories are gone for good</source>
        <translation>
            <numerusform>已彻底忘记 %n 条记忆</numerusform>
        </translation>
    </message>
    <message>
        <source>Show receipt</source>
        <translation>查看清单</translation>
    </message>
</context>
<context>
    <name>RememberedFold</name>
    <message numerus="yes">
        <source>%Ln memories wait for your look</source>
        <translation>
            <numerusform>%Ln 条记忆等你查看</numerusform>
        </translation>
    </message>
    <message>
        <source>Memory updated</source>
        <translation>记忆已更新</translation>
    </message>
    <message numerus="yes">
        <source>%Ln changes</source>
        <translation>
            <numerusform>%Ln 处变化</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RememberedItem</name>
    <message>
        <source>Instead of: %1</source>
        <translation>取代：%1</translation>
    </message>
    <message>
        <source>Waits for your look, because this chat holds text that others wrote.</source>
        <translation>等你查看，因为此对话含有他人写的文字。</translation>
    </message>
    <message>
        <source>Something newer took its place.</source>
        <translation>已被更新的记忆取代。</translation>
    </message>
    <message>
        <source>Refuse</source>
        <translation>拒绝</translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>忘记</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Accept</source>
        <translation>接受</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
</context>
<context>
    <name>RemovalPresenter</name>
    <message>
        <source>Result removed</source>
        <translation>结果已移除</translation>
    </message>
    <message>
        <source>Message deleted</source>
        <translation>消息已删除</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
</context>
<context>
    <name>ReportDialog</name>
    <message>
        <source>Report a problem</source>
        <translation>报告问题</translation>
    </message>
    <message>
        <source>This is all that the report holds: versions, settings without keys, names and addresses, and the end of the log without texts. Nothing is sent. Copy or save it, and add what you did and what happened.</source>
        <translation>报告的全部内容都在这里：版本、不含密钥、名称和地址的设置，以及不含文字内容的日志末尾。不会发送任何内容。请复制或保存，并补充你做了什么、发生了什么。</translation>
    </message>
    <message>
        <source>The report</source>
        <translation>报告</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Save as a file…</source>
        <translation>保存为文件…</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>RestoreDialog</name>
    <message>
        <source>Restore a backup</source>
        <translation>恢复备份</translation>
    </message>
    <message>
        <source>Backups</source>
        <translation>备份</translation>
    </message>
    <message>
        <source>Another file…</source>
        <translation>其他文件…</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Looking…</source>
        <translation>正在查看…</translation>
    </message>
    <message>
        <source>There is no backup in %1. Choose a file of another place.</source>
        <translation>%1 中没有备份。请选择其他位置的文件。</translation>
    </message>
    <message>
        <source>The backups in %1. Nothing is changed before you have seen what would be.</source>
        <translation>%1 中的备份。在你看过变化之前，不会改动任何内容。</translation>
    </message>
    <message>
        <source>Look at it</source>
        <translation>查看</translation>
    </message>
    <message>
        <source>Please wait</source>
        <translation>请稍候</translation>
    </message>
    <message>
        <source>Made</source>
        <translation>备份时间</translation>
    </message>
    <message>
        <source>In the backup</source>
        <translation>备份中</translation>
    </message>
    <message>
        <source>Here now</source>
        <translation>现有</translation>
    </message>
    <message>
        <source>Add what is missing here</source>
        <translation>添加这里缺少的内容</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>取代</translation>
    </message>
    <message>
        <source>Everything in this backup is here already.</source>
        <translation>此备份中的内容这里都有。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln chats are added, also those that you deleted since.</source>
        <translation>
            <numerusform>将添加 %Ln 个对话，包括你之后删除的。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln chats get messages that they do not have.</source>
        <translation>
            <numerusform>%Ln 个对话将补上缺少的消息。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln messages are new.</source>
        <translation>
            <numerusform>%Ln 条新消息。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln memories are new.</source>
        <translation>
            <numerusform>%Ln 条新记忆。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln folders of the list are new.</source>
        <translation>
            <numerusform>列表中有 %Ln 个新文件夹。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln prompts are new.</source>
        <translation>
            <numerusform>%Ln 条新提示词。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln assistants are new.</source>
        <translation>
            <numerusform>有 %Ln 个新助手。</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing that is here is changed.</source>
        <translation>现有内容不会改动。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln files or folders are read as knowledge, where they are on this computer: %1.</source>
        <translation>
            <numerusform>%Ln 个文件或文件夹将作为资料读取（如果它们在这台电脑上）：%1。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln folders of the list that are only here go.</source>
        <translation>
            <numerusform>仅在这里的 %Ln 个列表文件夹将消失。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln prompts that are only here go.</source>
        <translation>
            <numerusform>仅在这里的 %Ln 条提示词将消失。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln assistants that are only here go.</source>
        <translation>
            <numerusform>只在这里的 %Ln 个助手会消失。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln files or folders of knowledge that are only here go.</source>
        <translation>
            <numerusform>仅在这里作为资料的 %Ln 个文件或文件夹将不再是资料。</numerusform>
        </translation>
    </message>
    <message>
        <source>Everything is as it was in the backup, after a restart.</source>
        <translation>重启后，一切恢复到备份时的样子。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln chats that are only here go.</source>
        <translation>
            <numerusform>仅在这里的 %Ln 个对话将消失。</numerusform>
        </translation>
    </message>
    <message>
        <source>Replace all that is here</source>
        <translation>取代这里的全部内容</translation>
    </message>
    <message numerus="yes">
        <source>%Ln messages that are only here go.</source>
        <translation>
            <numerusform>仅在这里的 %Ln 条消息将消失。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln memories that are only here go.</source>
        <translation>
            <numerusform>仅在这里的 %Ln 条记忆将消失。</numerusform>
        </translation>
    </message>
    <message>
        <source>What is here now becomes a backup of its own, so that this can be undone. Keys stay as they are; what tools may do unasked is as it is here, never as a file says.</source>
        <translation>现有内容会先成为一份备份，因此可以撤销。密钥保持不变；工具可以自动执行的操作以这里的设置为准，不以文件为准。</translation>
    </message>
    <message>
        <source>You stopped it. What had been added by then is here, each chat whole.</source>
        <translation>你已停止。到那时添加的对话都完整保留。</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>The backup is ready. It takes the place of your library when Threadwell starts next.</source>
        <translation>备份已就绪。下次启动 Threadwell 时将取代现有数据。</translation>
    </message>
    <message>
        <source>Until then everything is as it is, and what you write now is kept in the backup of it.</source>
        <translation>在此之前一切不变，你现在写的内容会保留在备份中。</translation>
    </message>
    <message>
        <source>Later</source>
        <translation>稍后</translation>
    </message>
    <message>
        <source>Restart now</source>
        <translation>立即重启</translation>
    </message>
</context>
<context>
    <name>RestoredNotice</name>
    <message>
        <source>A backup took the place of your library</source>
        <translation>备份已替换你的资料库</translation>
    </message>
    <message>
        <source>What was here before is in %1. In a few minutes it becomes a backup of its own, with which this can be undone.</source>
        <translation>之前的内容在 %1。几分钟后它会自动存成一份单独的备份，可以用它撤销这次恢复。</translation>
    </message>
    <message>
        <source>Your library of before the restore is a backup now</source>
        <translation>恢复之前的资料库已存成备份</translation>
    </message>
    <message>
        <source>It is %1 in %2. To undo the restore, restore that one in the settings under Data.</source>
        <translation>备份是 %1，位于 %2。要撤销这次恢复，请在“设置 → 数据”里恢复这份备份。</translation>
    </message>
    <message>
        <source>Open the folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>The folder could not be opened</source>
        <translation>无法打开文件夹</translation>
    </message>
    <message>
        <source>No program is set for opening folders, or the folder is missing: %1</source>
        <translation>没有设置用来打开文件夹的程序，或者文件夹不存在：%1</translation>
    </message>
</context>
<context>
    <name>ResultItems</name>
    <message>
        <source>Image %1</source>
        <translation>图片 %1</translation>
    </message>
    <message>
        <source>Sound %1</source>
        <translation>声音 %1</translation>
    </message>
    <message>
        <source>File %1</source>
        <translation>文件 %1</translation>
    </message>
    <message>
        <source>Link %1</source>
        <translation>链接 %1</translation>
    </message>
    <message>
        <source>Structured data</source>
        <translation>结构化数据</translation>
    </message>
    <message>
        <source>Text %1</source>
        <translation>文本 %1</translation>
    </message>
    <message>
        <source>The whole result</source>
        <translation>完整结果</translation>
    </message>
    <message>
        <source>What the server sent cannot be read.</source>
        <translation>无法读取服务器发送的内容。</translation>
    </message>
    <message>
        <source>Too large to be kept.</source>
        <translation>太大，无法保存。</translation>
    </message>
    <message>
        <source>Sent as an image, but not a picture that can be shown.</source>
        <translation>作为图片发送，但不是可以显示的图片。</translation>
    </message>
    <message>
        <source>There was no room on the disk to keep it.</source>
        <translation>磁盘空间不足，无法保存。</translation>
    </message>
    <message>
        <source>It does not fit what the tool itself promises: %1</source>
        <translation>与工具自己的说明不符：%1</translation>
    </message>
    <message>
        <source>Whether it fits what the tool promises could not be checked.</source>
        <translation>无法核对它是否与工具的说明相符。</translation>
    </message>
    <message>
        <source>you</source>
        <translation>你</translation>
    </message>
    <message>
        <source>the model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>The server describes it: %1</source>
        <translation>服务器的描述：%1</translation>
    </message>
    <message>
        <source>The server says that it is meant for %1.</source>
        <translation>服务器说明它是给%1看的。</translation>
    </message>
    <message>
        <source>The server gives it an importance of %1 (1 is the highest).</source>
        <translation>服务器标注的重要程度为 %1（最高为 1）。</translation>
    </message>
    <message>
        <source>Sent by “%1”. Names, types and addresses are its own words; nothing was opened or checked.</source>
        <translation>由“%1”发送。名称、类型和地址是它自己的说法；没有打开或核实过。</translation>
    </message>
    <message numerus="yes">
        <source>… and %Ln more</source>
        <translation>
            <numerusform>…还有 %Ln 项</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ResultsPage</name>
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
        <source>More was found in memory</source>
        <translation>记忆中还有结果</translation>
    </message>
    <message>
        <source>More was found by meaning</source>
        <translation>另有按含义找到的结果</translation>
    </message>
    <message>
        <source>Nothing with these words.</source>
        <translation>没有包含这些字词的内容。</translation>
    </message>
    <message>
        <source>Looking for what means the same…</source>
        <translation>正在查找含义相近的内容…</translation>
    </message>
    <message>
        <source>Take a filter away to find more.</source>
        <translation>去掉一个筛选条件，可能会找到更多。</translation>
    </message>
    <message>
        <source>Older chats are still being made ready for the search.</source>
        <translation>较早的对话还在为搜索做准备。</translation>
    </message>
    <message>
        <source>Search results</source>
        <translation>搜索结果</translation>
    </message>
</context>
<context>
    <name>ReturningFileDialog</name>
    <message>
        <source>Look in:</source>
        <translation>位置：</translation>
    </message>
    <message>
        <source>Files of type:</source>
        <translation>文件类型：</translation>
    </message>
</context>
<context>
    <name>SchemaForm</name>
    <message>
        <source>Required.</source>
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
    <name>SearchBox</name>
    <message>
        <source>Filters for the search</source>
        <translation>搜索的筛选条件</translation>
    </message>
</context>
<context>
    <name>SearchFilters</name>
    <message>
        <source>in:title</source>
        <translation>在:标题</translation>
    </message>
    <message>
        <source>in titles only</source>
        <translation>只在标题中</translation>
    </message>
    <message>
        <source>in:messages</source>
        <translation>在:消息</translation>
    </message>
    <message>
        <source>in messages only</source>
        <translation>只在消息中</translation>
    </message>
    <message>
        <source>in:tools</source>
        <translation>在:工具</translation>
    </message>
    <message>
        <source>in tool calls and results only</source>
        <translation>只在工具调用和结果中</translation>
    </message>
    <message>
        <source>in:memory</source>
        <translation>在:记忆</translation>
    </message>
    <message>
        <source>in memory only</source>
        <translation>只在记忆中</translation>
    </message>
    <message>
        <source>in:archive</source>
        <translation>在:归档</translation>
    </message>
    <message>
        <source>in archived chats</source>
        <translation>在已归档的对话中</translation>
    </message>
    <message>
        <source>in:trash</source>
        <translation>在:回收站</translation>
    </message>
    <message>
        <source>in the Trash</source>
        <translation>在回收站中</translation>
    </message>
    <message>
        <source>in:</source>
        <translation>在:</translation>
    </message>
    <message>
        <source>in a folder</source>
        <translation>在某个文件夹中</translation>
    </message>
    <message>
        <source>from:me</source>
        <translation>来自:我</translation>
    </message>
    <message>
        <source>what I wrote</source>
        <translation>我写的</translation>
    </message>
    <message>
        <source>from:model</source>
        <translation>来自:模型</translation>
    </message>
    <message>
        <source>answers</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>model:</source>
        <translation>模型:</translation>
    </message>
    <message>
        <source>answers of a model</source>
        <translation>某个模型的回答</translation>
    </message>
    <message>
        <source>has:tool</source>
        <translation>含:工具</translation>
    </message>
    <message>
        <source>answers with tools</source>
        <translation>用了工具的回答</translation>
    </message>
    <message>
        <source>has:file</source>
        <translation>含:文件</translation>
    </message>
    <message>
        <source>messages with a file</source>
        <translation>带文件的消息</translation>
    </message>
    <message>
        <source>has:code</source>
        <translation>含:代码</translation>
    </message>
    <message>
        <source>messages with code</source>
        <translation>带代码的消息</translation>
    </message>
    <message>
        <source>before:</source>
        <translation>早于:</translation>
    </message>
    <message>
        <source>before a day, month or year</source>
        <translation>某天、某月或某年之前</translation>
    </message>
    <message>
        <source>after:</source>
        <translation>晚于:</translation>
    </message>
    <message>
        <source>from a day, month or year on</source>
        <translation>从某天、某月或某年起</translation>
    </message>
    <message>
        <source>on:</source>
        <translation>日期:</translation>
    </message>
    <message>
        <source>on a day</source>
        <translation>某一天</translation>
    </message>
    <message>
        <source>Titles</source>
        <translation>标题</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>记忆</translation>
    </message>
    <message>
        <source>Archive</source>
        <translation>归档</translation>
    </message>
    <message>
        <source>Trash</source>
        <translation>回收站</translation>
    </message>
    <message>
        <source>From me</source>
        <translation>来自我</translation>
    </message>
    <message>
        <source>Answers</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>With tools</source>
        <translation>用了工具</translation>
    </message>
    <message>
        <source>With a file</source>
        <translation>带文件</translation>
    </message>
    <message>
        <source>With code</source>
        <translation>带代码</translation>
    </message>
    <message>
        <source>Folder: {value}</source>
        <translation>文件夹：{value}</translation>
    </message>
    <message>
        <source>Before {value}</source>
        <translation>{value} 之前</translation>
    </message>
    <message>
        <source>From {value} on</source>
        <translation>{value} 起</translation>
    </message>
    <message>
        <source>On {value}</source>
        <translation>{value} 当天</translation>
    </message>
    <message>
        <source>Model: {value}</source>
        <translation>模型：{value}</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
</context>
<context>
    <name>SearchResultModel</name>
    <message>
        <source>New chat</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>By meaning</source>
        <translation>按含义</translation>
    </message>
    <message>
        <source>In memory</source>
        <translation>记忆中</translation>
    </message>
    <message numerus="yes">
        <source>%n more in this chat</source>
        <translation>
            <numerusform>此对话中还有 %n 处</numerusform>
        </translation>
    </message>
    <message>
        <source>More in this chat</source>
        <translation>此对话中的更多结果</translation>
    </message>
    <message>
        <source>Look for older ones</source>
        <translation>继续查找更早的</translation>
    </message>
    <message>
        <source>In memory: what is remembered, and summaries</source>
        <translation>记忆中：记住的内容和摘要</translation>
    </message>
    <message>
        <source>By meaning: in other words, or in another language</source>
        <translation>按含义：说法不同或语言不同也能找到</translation>
    </message>
    <message>
        <source>Tool call: %1</source>
        <translation>工具调用：%1</translation>
    </message>
    <message>
        <source>Remembered: %1</source>
        <translation>记住的内容：%1</translation>
    </message>
    <message>
        <source>Summary: %1</source>
        <translation>摘要：%1</translation>
    </message>
    <message>
        <source>Summary of an archived chat: %1</source>
        <translation>已归档对话的摘要：%1</translation>
    </message>
    <message>
        <source>Message: %1</source>
        <translation>消息：%1</translation>
    </message>
    <message>
        <source>Message of a like meaning: %1</source>
        <translation>含义相近的消息：%1</translation>
    </message>
    <message>
        <source>Chat: %1</source>
        <translation>对话：%1</translation>
    </message>
    <message>
        <source>Chat in the Trash: %1</source>
        <translation>回收站中的对话：%1</translation>
    </message>
    <message>
        <source>Archived chat: %1</source>
        <translation>已归档的对话：%1</translation>
    </message>
    <message>
        <source>In Trash</source>
        <translation>在回收站</translation>
    </message>
    <message>
        <source>Archived</source>
        <translation>已归档</translation>
    </message>
</context>
<context>
    <name>SecretFields</name>
    <message>
        <source>What is ticked is kept in your system&apos;s keychain instead of the settings file:</source>
        <translation>勾选的内容保存在系统钥匙串中，而不是设置文件里：</translation>
    </message>
    <message>
        <source>What is ticked is not written into the settings file:</source>
        <translation>勾选的内容不会写入设置文件：</translation>
    </message>
    <message>
        <source>Keep %1 as a secret</source>
        <translation>将 %1 作为机密保存</translation>
    </message>
    <message>
        <source>Try the keychain again</source>
        <translation>重试钥匙串</translation>
    </message>
    <message>
        <source>Kept in your system&apos;s keychain (%1).</source>
        <translation>保存在系统钥匙串中（%1）。</translation>
    </message>
    <message>
        <source>Kept in your system&apos;s keychain.</source>
        <translation>保存在系统钥匙串中。</translation>
    </message>
    <message>
        <source>Looking for your system&apos;s keychain…</source>
        <translation>正在查找系统钥匙串…</translation>
    </message>
    <message>
        <source>No keychain was found on this computer. Secrets are kept only until Threadwell is closed.</source>
        <translation>这台电脑上没有找到钥匙串。机密只保留到 Threadwell 关闭为止。</translation>
    </message>
    <message>
        <source>Your system&apos;s keychain is locked. Until it is unlocked, secrets are kept only while Threadwell is open.</source>
        <translation>系统钥匙串已锁定。解锁之前，机密只在 Threadwell 打开期间保留。</translation>
    </message>
    <message>
        <source>Access to your system&apos;s keychain was refused. Secrets are kept only until Threadwell is closed.</source>
        <translation>访问系统钥匙串被拒绝。机密只保留到 Threadwell 关闭为止。</translation>
    </message>
    <message>
        <source>Your system&apos;s keychain does not answer. Secrets are kept only until Threadwell is closed.</source>
        <translation>系统钥匙串没有响应。机密只保留到 Threadwell 关闭为止。</translation>
    </message>
</context>
<context>
    <name>SectionPresenter</name>
    <message>
        <source>“%1” was reset</source>
        <translation>“%1”已重置</translation>
    </message>
</context>
<context>
    <name>SendAnswerDialog</name>
    <message>
        <source>Send the answer?</source>
        <translation>发送这个回答吗？</translation>
    </message>
    <message>
        <source>Let the server have this answer?</source>
        <translation>把这个回答交给服务器吗？</translation>
    </message>
    <message>
        <source>Who answered</source>
        <translation>由谁回答</translation>
    </message>
    <message>
        <source>Ended</source>
        <translation>结束方式</translation>
    </message>
    <message>
        <source>At the longest length: there could be more</source>
        <translation>达到最大长度，后面可能还有内容</translation>
    </message>
    <message>
        <source>What your model wrote</source>
        <translation>你的模型写的内容</translation>
    </message>
    <message>
        <source>Do not send</source>
        <translation>不发送</translation>
    </message>
    <message>
        <source>Send to the server</source>
        <translation>发送给服务器</translation>
    </message>
    <message>
        <source>The server gets exactly this text and the model&apos;s name.</source>
        <translation>服务器只会得到这段文字和模型的名称。</translation>
    </message>
</context>
<context>
    <name>SendButtons</name>
    <message>
        <source>Send</source>
        <translation>发送</translation>
    </message>
    <message>
        <source>Send after this answer</source>
        <translation>等这个回答结束后发送</translation>
    </message>
    <message>
        <source>Stop the answer and send the change</source>
        <translation>停止回答并发送修改</translation>
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
        <source>Send the message</source>
        <translation>发送消息</translation>
    </message>
</context>
<context>
    <name>ServerAdditions</name>
    <message numerus="yes">
        <source>%n servers added, switched off</source>
        <translation>
            <numerusform>已添加 %n 个服务器，处于关闭状态</numerusform>
        </translation>
    </message>
    <message>
        <source>The folder for “%1”</source>
        <translation>“%1”的文件夹</translation>
    </message>
</context>
<context>
    <name>ServerCard</name>
    <message numerus="yes">
        <source>%n models</source>
        <translation>
            <numerusform>%n 个模型</numerusform>
        </translation>
    </message>
    <message>
        <source>Enter the key…</source>
        <translation>输入密钥…</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>使用</translation>
    </message>
    <message>
        <source>Enter the key for %1</source>
        <translation>输入 %1 的密钥</translation>
    </message>
    <message>
        <source>Use %1</source>
        <translation>使用 %1</translation>
    </message>
    <message>
        <source>Model of %1</source>
        <translation>%1 的模型</translation>
    </message>
    <message>
        <source>It needs a key, which you set in its own settings.</source>
        <translation>它需要密钥，密钥可以在它自己的设置中设定。</translation>
    </message>
    <message>
        <source>No model is loaded. Load one in its own window, then look again.</source>
        <translation>还没有加载模型。请在它自己的窗口中加载，然后重新查找。</translation>
    </message>
    <message>
        <source>It is still loading its model. Look again in a moment.</source>
        <translation>它还在加载模型。请稍后重新查找。</translation>
    </message>
    <message>
        <source>It has no model yet. Run “ollama pull qwen3:8b” in a terminal, then look again.</source>
        <translation>它还没有模型。请在终端运行“ollama pull qwen3:8b”，然后重新查找。</translation>
    </message>
</context>
<context>
    <name>ServerDecisions</name>
    <message>
        <source>Trusted</source>
        <translation>信任</translation>
    </message>
    <message>
        <source>What it returns counts as if you had written it, and what it says of its tools is believed. Leave it off for servers that read mail, web pages or other people&apos;s files.</source>
        <translation>它返回的内容视同你自己写的，它对工具的说明也会被采信。读取邮件、网页或他人文件的服务器请勿开启。</translation>
    </message>
    <message>
        <source>In all chats</source>
        <translation>所有对话</translation>
    </message>
    <message>
        <source>Only in “%1”</source>
        <translation>仅在“%1”中</translation>
    </message>
    <message>
        <source>Only in the open chat</source>
        <translation>仅在打开的对话中</translation>
    </message>
    <message>
        <source>Where it is offered</source>
        <translation>使用范围</translation>
    </message>
    <message>
        <source>In other chats the model does not know its tools.</source>
        <translation>在其他对话中，模型不知道它的工具。</translation>
    </message>
    <message>
        <source>All its tools</source>
        <translation>它的全部工具</translation>
    </message>
    <message>
        <source>The stricter of this and a tool&apos;s own counts.</source>
        <translation>与单个工具的设置相比，以更严格的为准。</translation>
    </message>
    <message numerus="yes">
        <source>Show %n more tools</source>
        <translation>
            <numerusform>显示另外 %n 个工具</numerusform>
        </translation>
    </message>
    <message>
        <source>Held until you have looked at its change</source>
        <translation>有变化，你查看之前不会使用</translation>
    </message>
    <message>
        <source>As usual</source>
        <translation>照常</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Always ask</source>
        <translation>总是询问</translation>
    </message>
    <message>
        <source>Run unasked</source>
        <translation>直接运行</translation>
    </message>
</context>
<context>
    <name>ServerDetails</name>
    <message>
        <source>Sign out</source>
        <translation>退出登录</translation>
    </message>
    <message>
        <source>Sign out of %1</source>
        <translation>退出登录 %1</translation>
    </message>
    <message>
        <source>Changes…</source>
        <translation>变化…</translation>
    </message>
    <message>
        <source>Changed tools of %1</source>
        <translation>%1 中有变化的工具</translation>
    </message>
    <message>
        <source>Diagnosis…</source>
        <translation>诊断…</translation>
    </message>
    <message>
        <source>Diagnosis of %1</source>
        <translation>%1 的诊断</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>编辑…</translation>
    </message>
    <message>
        <source>Edit %1</source>
        <translation>编辑 %1</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>移除 %1</translation>
    </message>
    <message>
        <source>What went wrong</source>
        <translation>出错原因</translation>
    </message>
    <message>
        <source>What was noticed</source>
        <translation>注意到的情况</translation>
    </message>
    <message numerus="yes">
        <source>%n tools</source>
        <translation>
            <numerusform>%n 个工具</numerusform>
        </translation>
    </message>
    <message>
        <source>What it says of itself, to every model</source>
        <translation>它对所有模型的自我说明</translation>
    </message>
    <message>
        <source>The exact address</source>
        <translation>完整地址</translation>
    </message>
    <message>
        <source>The exact command</source>
        <translation>完整的命令</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>环境变量</translation>
    </message>
    <message>
        <source>Headers</source>
        <translation>请求头</translation>
    </message>
    <message>
        <source>Secrets</source>
        <translation>机密</translation>
    </message>
    <message>
        <source>Signed in at</source>
        <translation>已登录到</translation>
    </message>
    <message>
        <source>Time limit</source>
        <translation>时间限制</translation>
    </message>
    <message numerus="yes">
        <source>%n seconds</source>
        <translation>
            <numerusform>%n 秒</numerusform>
        </translation>
    </message>
    <message>
        <source>Folder of the chat</source>
        <translation>对话的文件夹</translation>
    </message>
    <message>
        <source>The server may ask for it</source>
        <translation>服务器可以询问</translation>
    </message>
    <message>
        <source>The server may ask to use it; you are asked each time</source>
        <translation>服务器可以请求使用它，每次都会先问你</translation>
    </message>
    <message>
        <source>Your model</source>
        <translation>你的模型</translation>
    </message>
</context>
<context>
    <name>ServerEditor</name>
    <message>
        <source>This cannot be read: %1</source>
        <translation>无法读取：%1</translation>
    </message>
    <message>
        <source>Another server has this name.</source>
        <translation>已有同名的服务器。</translation>
    </message>
    <message>
        <source>Line %1 is not of the form NAME=value.</source>
        <translation>第 %1 行不是“NAME=值”的形式。</translation>
    </message>
    <message>
        <source>Line %1 is not of the form Name: value.</source>
        <translation>第 %1 行不是“Name: 值”的形式。</translation>
    </message>
    <message>
        <source>No server was found in this text.</source>
        <translation>这段文字里没有找到服务器。</translation>
    </message>
    <message>
        <source>“%1” cannot be used as a server.</source>
        <translation>“%1”不能用作服务器。</translation>
    </message>
    <message>
        <source>a value is not text</source>
        <translation>有一个值不是文本</translation>
    </message>
    <message>
        <source>Enter a name.</source>
        <translation>请输入名称。</translation>
    </message>
    <message>
        <source>Use at most 60 letters, digits and symbols.</source>
        <translation>最多使用 60 个字母、数字和符号。</translation>
    </message>
    <message>
        <source>Enter the program to start, for example npx or a file.</source>
        <translation>请输入要启动的程序，例如 npx 或某个文件。</translation>
    </message>
    <message>
        <source>A quotation mark is not closed.</source>
        <translation>有一个引号没有配对。</translation>
    </message>
    <message>
        <source>A client secret belongs to a client ID: enter that too.</source>
        <translation>客户端密钥需要与客户端 ID 一起使用：请同时填写 ID。</translation>
    </message>
    <message>
        <source>Enter a number of seconds, at most 86400 (a day), or nothing.</source>
        <translation>请输入秒数，最多 86400（一天），或留空。</translation>
    </message>
    <message>
        <source>“%1” appears twice.</source>
        <translation>“%1”出现了两次。</translation>
    </message>
    <message>
        <source>Enter the address, for example https://example.org/mcp.</source>
        <translation>请输入地址，例如 https://example.org/mcp。</translation>
    </message>
    <message>
        <source>The environment variable %1 is not set. Set it and restart Threadwell, or save the server switched off until then.</source>
        <translation>环境变量 %1 没有设置。请设置后重新启动 Threadwell，或先以关闭状态保存服务器。</translation>
    </message>
    <message>
        <source>The address should begin with https:// or http://.</source>
        <translation>地址应以 https:// 或 http:// 开头。</translation>
    </message>
    <message>
        <source>This address is not encrypted. Use https://, or allow it below.</source>
        <translation>这个地址没有加密。请使用 https://，或在下方允许不加密。</translation>
    </message>
    <message>
        <source>This cannot be used: %1</source>
        <translation>不能使用：%1</translation>
    </message>
</context>
<context>
    <name>ServerForm</name>
    <message>
        <source>Edit “%1”</source>
        <translation>编辑“%1”</translation>
    </message>
    <message>
        <source>Add a server</source>
        <translation>添加服务器</translation>
    </message>
    <message>
        <source>Paste JSON</source>
        <translation>粘贴 JSON</translation>
    </message>
    <message>
        <source>Form</source>
        <translation>表单</translation>
    </message>
    <message>
        <source>How to add it</source>
        <translation>添加方式</translation>
    </message>
    <message>
        <source>Program on this computer</source>
        <translation>本机程序</translation>
    </message>
    <message>
        <source>Web address</source>
        <translation>网址</translation>
    </message>
    <message>
        <source>Kind of server</source>
        <translation>服务器类型</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Any name; it is put before the names of its tools.</source>
        <translation>名称可任意填写，会放在它的工具名称之前。</translation>
    </message>
    <message>
        <source>Program and arguments, in one line or several; “…” around an argument with spaces.</source>
        <translation>程序和参数，可以写成一行或多行；带空格的参数用英文双引号括起来。</translation>
    </message>
    <message>
        <source>Folder (optional)</source>
        <translation>文件夹（可不填）</translation>
    </message>
    <message>
        <source>Environment (optional)</source>
        <translation>环境变量（可不填）</translation>
    </message>
    <message>
        <source>Headers (optional)</source>
        <translation>请求头（可不填）</translation>
    </message>
    <message>
        <source>Anyone on the way can read and change what is sent. Only for a network that you trust.</source>
        <translation>传输途中的任何人都可以读取和篡改内容。只用于你信任的网络。</translation>
    </message>
    <message>
        <source>Now and whenever Threadwell starts. You see the exact command first.</source>
        <translation>现在启动，以后随 Threadwell 一起启动。启动前会先显示完整的命令。</translation>
    </message>
    <message>
        <source>JSON of one or more servers</source>
        <translation>一个或多个服务器的 JSON</translation>
    </message>
    <message>
        <source>As the server&apos;s instructions give it: mcpServers, VS Code&apos;s servers, or one server. Nothing is started yet.</source>
        <translation>按服务器说明中的写法：mcpServers、VS Code 的 servers，或单个服务器。此时还不会启动任何程序。</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>NAME=value, one per line. ${NAME} is read from the environment when the server starts.</source>
        <translation>名称=值，每行一个。${NAME} 会在服务器启动时从环境变量读取。</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>https://…, as the server&apos;s instructions give it.</source>
        <translation>以 https:// 开头，按服务器的说明填写。</translation>
    </message>
    <message>
        <source>Name: value, one per line. ${NAME} is read from the environment when the server starts.</source>
        <translation>名称: 值，每行一个。${NAME} 会在服务器启动时从环境变量读取。</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Choose the folder</source>
        <translation>选择文件夹</translation>
    </message>
    <message>
        <source>Allow without encryption</source>
        <translation>允许不加密</translation>
    </message>
    <message>
        <source>Switched on</source>
        <translation>启用</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Read</source>
        <translation>读取</translation>
    </message>
</context>
<context>
    <name>ServerPopup</name>
    <message>
        <source>Tool servers</source>
        <translation>工具服务器</translation>
    </message>
    <message>
        <source>Manage servers…</source>
        <translation>管理服务器…</translation>
    </message>
    <message>
        <source>No tool servers are switched on.</source>
        <translation>没有启用任何工具服务器。</translation>
    </message>
    <message>
        <source>Restart</source>
        <translation>重新启动</translation>
    </message>
    <message>
        <source>Restart %1</source>
        <translation>重新启动 %1</translation>
    </message>
    <message>
        <source>Sign in…</source>
        <translation>登录…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
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
        <source>needs a secret</source>
        <translation>需要机密</translation>
    </message>
    <message>
        <source>needs sign-in</source>
        <translation>需要登录</translation>
    </message>
    <message>
        <source>signing in…</source>
        <translation>正在登录…</translation>
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
        <source>Chat</source>
        <translation>对话</translation>
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
    <name>ServerRow</name>
    <message>
        <source>Restart</source>
        <translation>重新启动</translation>
    </message>
    <message>
        <source>Restart %1</source>
        <translation>重新启动 %1</translation>
    </message>
    <message>
        <source>Use the server %1</source>
        <translation>使用服务器 %1</translation>
    </message>
    <message>
        <source>Hide the details of %1</source>
        <translation>隐藏 %1 的详细信息</translation>
    </message>
    <message>
        <source>Show the details of %1</source>
        <translation>显示 %1 的详细信息</translation>
    </message>
    <message>
        <source>built in</source>
        <translation>内置</translation>
    </message>
    <message>
        <source>Given on the command line, for this start only</source>
        <translation>由命令行指定，只在这次运行中有效</translation>
    </message>
    <message>
        <source>from the command line</source>
        <translation>来自命令行</translation>
    </message>
    <message>
        <source>web address</source>
        <translation>网址</translation>
    </message>
    <message>
        <source>program</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>Look and start…</source>
        <translation>查看并启动…</translation>
    </message>
    <message>
        <source>Sign in…</source>
        <translation>登录…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>编辑…</translation>
    </message>
    <message>
        <source>Connect all the same…</source>
        <translation>仍要连接…</translation>
    </message>
    <message>
        <source>Look at the changes…</source>
        <translation>查看变化…</translation>
    </message>
    <message>
        <source>Enter…</source>
        <translation>输入…</translation>
    </message>
    <message>
        <source>Needs a secret: %1</source>
        <translation>需要机密：%1</translation>
    </message>
    <message>
        <source>Needs a value: %1</source>
        <translation>需要填写：%1</translation>
    </message>
    <message>
        <source>Not started yet: look at its exact line first</source>
        <translation>尚未启动：请先查看完整的命令</translation>
    </message>
    <message>
        <source>Needs a secret. %1</source>
        <translation>需要机密。%1</translation>
    </message>
    <message>
        <source>Needs sign-in. %1</source>
        <translation>需要登录。%1</translation>
    </message>
    <message>
        <source>The key in its headers is not accepted</source>
        <translation>请求头中的密钥不被接受</translation>
    </message>
    <message>
        <source>Signing in: it goes on in your browser</source>
        <translation>正在登录：请在浏览器中继续</translation>
    </message>
    <message>
        <source>Not connected. %1</source>
        <translation>未连接。%1</translation>
    </message>
    <message numerus="yes">
        <source>Ready, but %n changed tools wait for you</source>
        <translation>
            <numerusform>就绪，但有 %n 个工具有变化，等你查看</numerusform>
        </translation>
    </message>
    <message>
        <source>Cannot be used: %1</source>
        <translation>不能使用：%1</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>已关闭</translation>
    </message>
    <message numerus="yes">
        <source>Ready, %n tools</source>
        <translation>
            <numerusform>就绪，%n 个工具</numerusform>
        </translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>正在启动…</translation>
    </message>
    <message>
        <source>Stopped; starting again…</source>
        <translation>已停止，正在重新启动…</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Failed. %1</source>
        <translation>失败：%1</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
</context>
<context>
    <name>ServersPage</name>
    <message>
        <source>Tool servers</source>
        <translation>工具服务器</translation>
    </message>
    <message>
        <source>MCP servers give the model tools: files, calendars, search. You are asked before a tool runs; only harmless built-in ones run at once.</source>
        <translation>MCP 服务器为模型提供工具：文件、日历、搜索等。工具运行前会先询问你；只有内置的无害工具会直接运行。</translation>
    </message>
    <message>
        <source>Add a server</source>
        <translation>添加服务器</translation>
    </message>
    <message>
        <source>A program on this computer or a web address. Nothing is started that you have not seen.</source>
        <translation>本机程序或网址。启动任何内容之前都会先让你看到。</translation>
    </message>
    <message>
        <source>Add…</source>
        <translation>添加…</translation>
    </message>
    <message>
        <source>Paste JSON…</source>
        <translation>粘贴 JSON…</translation>
    </message>
    <message>
        <source>Import…</source>
        <translation>导入…</translation>
    </message>
    <message>
        <source>Catalogue…</source>
        <translation>目录…</translation>
    </message>
    <message>
        <source>Your servers</source>
        <translation>你的服务器</translation>
    </message>
    <message>
        <source>Programs</source>
        <translation>程序</translation>
    </message>
</context>
<context>
    <name>ServersPresenter</name>
    <message>
        <source>Server “%1” removed</source>
        <translation>已移除服务器“%1”</translation>
    </message>
    <message numerus="yes">
        <source>Remove all %n servers that you added?</source>
        <translation>
            <numerusform>要移除你添加的全部 %n 个服务器吗？</numerusform>
        </translation>
    </message>
    <message>
        <source>The built-in server is switched on again.</source>
        <translation>内置服务器会重新启用。</translation>
    </message>
    <message>
        <source>Remove all</source>
        <translation>全部移除</translation>
    </message>
    <message numerus="yes">
        <source>%n servers removed</source>
        <translation>
            <numerusform>已移除 %n 个服务器</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SessionCard</name>
    <message>
        <source>Shared session</source>
        <translation>共享会话</translation>
    </message>
    <message>
        <source>Read…</source>
        <translation>阅读…</translation>
    </message>
    <message>
        <source>Clear…</source>
        <translation>清空…</translation>
    </message>
    <message>
        <source>Read the shared session</source>
        <translation>阅读共享会话</translation>
    </message>
    <message>
        <source>Clear the shared session</source>
        <translation>清空共享会话</translation>
    </message>
</context>
<context>
    <name>SessionChoice</name>
    <message>
        <source>shared</source>
        <translation>共享</translation>
    </message>
    <message>
        <source>not shared</source>
        <translation>不共享</translation>
    </message>
    <message>
        <source>Its newest turns go into a session, and its answers are told what others wrote there. Chats on other computers share it by the same name. In Settings: %1.</source>
        <translation>最新的问答会放进一个会话，回答时会得知其他人在那里写了什么。其他电脑上的对话用相同的名称共享它。设置中：%1。</translation>
    </message>
    <message>
        <source>Letters a to z, digits and - _ . : only, for example trip-to-kyoto.</source>
        <translation>只能用字母 a 到 z、数字和 - _ . :，例如 trip-to-kyoto。</translation>
    </message>
    <message>
        <source>As in Settings</source>
        <translation>按设置</translation>
    </message>
    <message>
        <source>Its own</source>
        <translation>自己的</translation>
    </message>
    <message>
        <source>With a name</source>
        <translation>指定名称</translation>
    </message>
    <message>
        <source>None</source>
        <translation>不共享</translation>
    </message>
    <message>
        <source>Shared session</source>
        <translation>共享会话</translation>
    </message>
    <message>
        <source>Name of the session</source>
        <translation>会话名称</translation>
    </message>
</context>
<context>
    <name>SessionsInWindow</name>
    <message>
        <source>User</source>
        <translation>用户</translation>
    </message>
    <message>
        <source>Assistant</source>
        <translation>助手</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Nothing is in it.</source>
        <translation>里面没有内容。</translation>
    </message>
    <message>
        <source>Shared session</source>
        <translation>共享会话</translation>
    </message>
    <message>
        <source>Clear the shared session?</source>
        <translation>清空共享会话？</translation>
    </message>
    <message>
        <source>It is emptied for everybody who shares it. The chat itself stays as it is.</source>
        <translation>所有共享它的人都会看到它被清空。对话本身保持不变。</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>清空</translation>
    </message>
    <message>
        <source>The open chat shares no session. Its options can change that.</source>
        <translation>打开的对话没有共享会话，可在其选项中更改。</translation>
    </message>
    <message>
        <source>The open chat shares “%1” with others.</source>
        <translation>打开的对话与他人共享“%1”。</translation>
    </message>
    <message>
        <source>The open chat has a session of its own.</source>
        <translation>打开的对话有自己的会话。</translation>
    </message>
    <message>
        <source>%1 The last answer did not wait for it any longer.</source>
        <translation>%1上一个回答没有再等它。</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1%2</translation>
    </message>
    <message numerus="yes">
        <source>%n entries</source>
        <translation>
            <numerusform>%n 条内容。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SessionsPage</name>
    <message>
        <source>Write it as redis://host:port, with rediss:// where it is encrypted.</source>
        <translation>请写成 redis://主机:端口；加密时用 rediss://。</translation>
    </message>
    <message>
        <source>Shared sessions</source>
        <translation>共享会话</translation>
    </message>
    <message>
        <source>A chat can share its newest questions and answers with other windows and programs, and its answers are told what these said. What comes from there counts as foreign text. Temporary chats never share.</source>
        <translation>对话可以与其他窗口和程序共享最新的问答，回答时也会得知那里说了什么。来自那里的内容视为外来文本。临时对话从不共享。</translation>
    </message>
    <message>
        <source>For several computers</source>
        <translation>用于多台电脑</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Chosen chats</source>
        <translation>选定的对话</translation>
    </message>
    <message>
        <source>All chats</source>
        <translation>所有对话</translation>
    </message>
    <message>
        <source>Use the data folder</source>
        <translation>使用数据文件夹</translation>
    </message>
    <message>
        <source>Redis server</source>
        <translation>Redis 服务器</translation>
    </message>
    <message>
        <source>Keeps the sessions in place of the data folder, so that computers can share them: the texts of your chats are sent there. Without rediss:// they travel unencrypted.</source>
        <translation>代替数据文件夹保存会话，让多台电脑可以共享：对话的文字会发送到那里。不用 rediss:// 时，传输不加密。</translation>
    </message>
    <message>
        <source>redis database host port</source>
        <translation>redis 数据库 主机 端口</translation>
    </message>
    <message>
        <source>Password of the server</source>
        <translation>服务器的密码</translation>
    </message>
    <message>
        <source>Lies with your keys, not in the settings.</source>
        <translation>与你的密钥放在一起，不在设置里。</translation>
    </message>
    <message>
        <source>Keep sessions for seven days</source>
        <translation>会话保留七天</translation>
    </message>
    <message>
        <source>As lists that other chat programs read and write, too: chat:session: and the name of the session. Else a session is kept for 24 hours after its last use.</source>
        <translation>以其他聊天程序也能读写的列表保存：chat:session: 加会话名称。否则会话在最后一次使用后保留 24 小时。</translation>
    </message>
    <message>
        <source>Nothing is shared.</source>
        <translation>不共享任何内容。</translation>
    </message>
    <message>
        <source>A chat shares when you switch it on in its options.</source>
        <translation>在对话的选项中打开后，该对话才会共享。</translation>
    </message>
    <message>
        <source>Each chat shares a session of its own, or the one that its options name.</source>
        <translation>每个对话共享自己的会话，或其选项中指定名称的会话。</translation>
    </message>
    <message>
        <source>Chats that share</source>
        <translation>哪些对话共享</translation>
    </message>
    <message>
        <source>session share window program redis</source>
        <translation>会话 共享 窗口 程序 redis</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Testing…</source>
        <translation>正在测试…</translation>
    </message>
    <message>
        <source>Test connection</source>
        <translation>测试连接</translation>
    </message>
    <message>
        <source>Does it work?</source>
        <translation>能用吗？</translation>
    </message>
    <message>
        <source>Reads from the server once, as an answer would.</source>
        <translation>像回答时那样，从服务器读取一次。</translation>
    </message>
    <message>
        <source>Not used yet</source>
        <translation>尚未使用</translation>
    </message>
    <message>
        <source>The memory server starts with the first message.</source>
        <translation>记忆服务器会随第一条消息启动。</translation>
    </message>
    <message>
        <source>Works</source>
        <translation>正常</translation>
    </message>
    <message>
        <source>Slow</source>
        <translation>较慢</translation>
    </message>
    <message>
        <source>The last answer did not wait for the session any longer.</source>
        <translation>上一个回答没有再等会话。</translation>
    </message>
    <message>
        <source>Does not work</source>
        <translation>无法使用</translation>
    </message>
</context>
<context>
    <name>SessionsPresenter</name>
    <message>
        <source>It works: sessions can be kept there.</source>
        <translation>可以使用：会话可以保存在那里。</translation>
    </message>
</context>
<context>
    <name>SettingsPage</name>
    <message>
        <source>Reset this page</source>
        <translation>重置此页</translation>
    </message>
    <message>
        <source>Back to the defaults; this can be undone</source>
        <translation>恢复默认设置；可以撤销</translation>
    </message>
</context>
<context>
    <name>SettingsWindow</name>
    <message>
        <source>Nothing found for “%1”</source>
        <translation>没有找到“%1”</translation>
    </message>
    <message numerus="yes">
        <source>%n settings found</source>
        <translation>
            <numerusform>找到 %n 项设置</numerusform>
        </translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Search settings</source>
        <translation>搜索设置</translation>
    </message>
    <message>
        <source>Pages of the settings</source>
        <translation>设置页面</translation>
    </message>
    <message>
        <source>Try another word; without a search all pages are listed again.</source>
        <translation>请换一个词；清除搜索后会重新列出所有页面。</translation>
    </message>
    <message>
        <source>Clear the search</source>
        <translation>清除搜索</translation>
    </message>
</context>
<context>
    <name>ShortcutList</name>
    <message>
        <source>Search shortcuts</source>
        <translation>搜索快捷键</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>No matching shortcut.</source>
        <translation>没有匹配的快捷键。</translation>
    </message>
    <message>
        <source>changed</source>
        <translation>已更改</translation>
    </message>
</context>
<context>
    <name>ShortcutPanel</name>
    <message>
        <source>Change the keys of the chosen action; a double click on it or Enter does the same</source>
        <translation>更改所选操作的按键；双击它或按 Enter 也可以</translation>
    </message>
    <message>
        <source>Give all actions their usual keys</source>
        <translation>所有操作恢复默认按键</translation>
    </message>
    <message>
        <source>Change…</source>
        <translation>更改…</translation>
    </message>
    <message>
        <source>Reset all</source>
        <translation>全部恢复默认</translation>
    </message>
</context>
<context>
    <name>ShortcutsDialog</name>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>SidePage</name>
    <message>
        <source>Back to the chats</source>
        <translation>返回对话列表</translation>
    </message>
</context>
<context>
    <name>Sidebar</name>
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
        <source>Search in titles, messages, tool calls and memory, by words and by meaning</source>
        <translation>搜索标题、消息、工具调用和记忆：按词语，也按意思</translation>
    </message>
    <message>
        <source>Search in titles, messages, tool calls and memory, by words</source>
        <translation>搜索标题、消息、工具调用和记忆：按词语</translation>
    </message>
    <message>
        <source>Search in titles, messages, tool calls and memory</source>
        <translation>搜索标题、消息、工具调用和记忆</translation>
    </message>
    <message>
        <source>New temporary chat: nothing of it is kept</source>
        <translation>新临时对话：不保留任何内容</translation>
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
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Same as system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Model: %1 (%2)</source>
        <translation>模型：%1（%2）</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>记忆</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
    </message>
    <message>
        <source>User guide</source>
        <translation>用户指南</translation>
    </message>
    <message>
        <source>What’s new</source>
        <translation>新功能</translation>
    </message>
    <message>
        <source>Report a problem…</source>
        <translation>报告问题…</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>About Threadwell</source>
        <translation>关于 Threadwell</translation>
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
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Menu</source>
        <translation>菜单</translation>
    </message>
    <message>
        <source>Archive</source>
        <translation>归档</translation>
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
</context>
<context>
    <name>SignInDialog</name>
    <message>
        <source>Sign in</source>
        <translation>登录</translation>
    </message>
    <message>
        <source>Sign in on this page?</source>
        <translation>要在这个网页上登录吗？</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Until now you signed in somewhere else: %1</source>
        <translation>此前你在别处登录：%1</translation>
    </message>
    <message>
        <source>What you confirm on the page is handed on to %1.</source>
        <translation>你在网页上确认的内容会转交给 %1。</translation>
    </message>
    <message>
        <source>What the server asks to be allowed</source>
        <translation>服务器请求的权限</translation>
    </message>
    <message>
        <source>It does not say. The page should tell you.</source>
        <translation>它没有说明。网页上应该会写明。</translation>
    </message>
</context>
<context>
    <name>SignInPresenter</name>
    <message>
        <source>“%1” needs you to sign in</source>
        <translation>“%1”需要你登录</translation>
    </message>
    <message>
        <source>Until then this chat goes on without its tools.</source>
        <translation>登录之前，此对话不使用它的工具。</translation>
    </message>
    <message>
        <source>You are not signed in at “%1”</source>
        <translation>你没有登录“%1”</translation>
    </message>
    <message>
        <source>Sign in…</source>
        <translation>登录…</translation>
    </message>
</context>
<context>
    <name>SourcesFold</name>
    <message numerus="yes">
        <source>%Ln sources</source>
        <translation>
            <numerusform>%Ln 个来源</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SpokenStates</name>
    <message>
        <source>New chat</source>
        <translation>新对话</translation>
    </message>
</context>
<context>
    <name>StartQuestion</name>
    <message>
        <source>Connect to “%1”?</source>
        <translation>要连接“%1”吗？</translation>
    </message>
    <message>
        <source>Connect</source>
        <translation>连接</translation>
    </message>
    <message>
        <source>Start “%1”?</source>
        <translation>要启动“%1”吗？</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>Threadwell has not connected to this address before. What the model passes to its tools is sent there.</source>
        <translation>Threadwell 还没有连接过这个地址。模型传给它的工具的内容都会发送到那里。</translation>
    </message>
    <message>
        <source>This program has not been started before. It will run on this computer with all your rights, now and every time Threadwell starts, until you switch it off. Is this what you meant?</source>
        <translation>这个程序还没有启动过。它会以你的全部权限在这台电脑上运行：现在运行，以后每次启动 Threadwell 时也会运行，直到你将其关闭。确定要启动吗？</translation>
    </message>
    <message>
        <source>Connect to “%1” inside your computer or network?</source>
        <translation>连接到你的电脑或网络内部的“%1”吗？</translation>
    </message>
    <message>
        <source>Its address leads to %1 now. That is right for a server of your company or at home. Where a name on the internet suddenly leads there, somebody may want to reach through Threadwell what only this computer reaches.</source>
        <translation>它的地址现在指向 %1。如果这是公司或家里的服务器，那是正常的。但如果一个互联网上的名称突然指向那里，可能是有人想借 Threadwell 接触只有这台电脑才能接触到的东西。</translation>
    </message>
    <message>
        <source>Exact address</source>
        <translation>完整地址</translation>
    </message>
    <message>
        <source>Exact command</source>
        <translation>完整的命令</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>环境变量</translation>
    </message>
    <message>
        <source>Headers</source>
        <translation>请求头</translation>
    </message>
    <message>
        <source>Secrets it gets</source>
        <translation>它会得到的机密</translation>
    </message>
</context>
<context>
    <name>StatusLine</name>
    <message>
        <source>Working…</source>
        <translation>正在处理…</translation>
    </message>
    <message>
        <source>Starting the tools…</source>
        <translation>正在启动工具…</translation>
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
        <source>The limit of steps for one answer was reached.</source>
        <translation>已达到单次回答的步数上限。</translation>
    </message>
    <message>
        <source>The answer was cut off: the model&apos;s length limit was reached.</source>
        <translation>回答被截断：已达到模型的长度上限。</translation>
    </message>
    <message>
        <source>The model is being loaded…</source>
        <translation>正在加载模型…</translation>
    </message>
    <message>
        <source>The model is reading the chat…</source>
        <translation>模型正在读取对话…</translation>
    </message>
    <message>
        <source>Too many requests for now. Trying again…</source>
        <translation>请求太多，正在重试…</translation>
    </message>
    <message>
        <source>The provider is overloaded. Trying again…</source>
        <translation>服务商繁忙，正在重试…</translation>
    </message>
    <message>
        <source>The connection broke. Trying again…</source>
        <translation>连接中断，正在重试…</translation>
    </message>
    <message>
        <source>Too many requests for now. Trying again in {time}…</source>
        <translation>请求太多，{time}后重试…</translation>
    </message>
    <message>
        <source>The provider is overloaded. Trying again in {time}…</source>
        <translation>服务商繁忙，{time}后重试…</translation>
    </message>
    <message>
        <source>The connection broke. Trying again in {time}…</source>
        <translation>连接中断，{time}后重试…</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Continue this answer</source>
        <translation>继续这个回答</translation>
    </message>
    <message>
        <source>The provider&apos;s content filter ended this answer.</source>
        <translation>服务商的内容过滤终止了这个回答。</translation>
    </message>
    <message>
        <source>The model gave no answer.</source>
        <translation>模型没有给出回答。</translation>
    </message>
    <message>
        <source>The model declined to answer.</source>
        <translation>模型拒绝回答。</translation>
    </message>
</context>
<context>
    <name>StepEdit</name>
    <message>
        <source>A step has at most %1 characters</source>
        <translation>一个步骤最多 %1 个字符</translation>
    </message>
</context>
<context>
    <name>SubstitutionNotice</name>
    <message>
        <source>The model of this chat is not set up any more</source>
        <translation>此对话原来的模型已不可用</translation>
    </message>
    <message>
        <source>%1 answers instead: your next message sends this chat to it.</source>
        <translation>改由 %1 回答：发送下一条消息时，此对话会发给它。</translation>
    </message>
    <message>
        <source>Choose a model…</source>
        <translation>选择模型…</translation>
    </message>
</context>
<context>
    <name>SummaryDialog</name>
    <message>
        <source>Summary</source>
        <translation>摘要</translation>
    </message>
    <message>
        <source>Summary of the earlier part of this chat</source>
        <translation>此对话前面部分的摘要</translation>
    </message>
    <message>
        <source>The model is sent this in place of the messages above. They stay on this computer as they were. What you change here is kept when later messages are added.</source>
        <translation>发送给模型的是这份摘要，而不是上方的消息。那些消息仍原样保存在这台电脑上。之后有新消息加入摘要时，你在这里所做的更改会保留。</translation>
    </message>
    <message>
        <source>The summary</source>
        <translation>摘要内容</translation>
    </message>
    <message>
        <source>Always sent word for word, one on each line:</source>
        <translation>始终原文发送，每行一句：</translation>
    </message>
    <message>
        <source>Pin what is selected</source>
        <translation>固定选中的文字</translation>
    </message>
    <message>
        <source>Sentences that are always sent</source>
        <translation>始终发送的句子</translation>
    </message>
    <message>
        <source>Send this chat with its summary</source>
        <translation>发送此对话时使用摘要</translation>
    </message>
    <message>
        <source>The summary was changed meanwhile, so this was not saved. Copy what you need and open it again.</source>
        <translation>摘要在此期间有变化，因此没有保存。请复制需要的内容，然后重新打开。</translation>
    </message>
    <message>
        <source>Who made it and when, and what that took</source>
        <translation>由谁在何时生成，用量多少</translation>
    </message>
    <message numerus="yes">
        <source>%Ln tokens</source>
        <translation>
            <numerusform>%Ln 个 token</numerusform>
        </translation>
    </message>
    <message>
        <source>Make it again</source>
        <translation>重新生成</translation>
    </message>
    <message>
        <source>Has the model read the messages again. Your changes above go, what is pinned stays.</source>
        <translation>让模型重新阅读这些消息。你在上面所做的更改会丢失，固定的句子会保留。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>A summary may have %1 characters.</source>
        <translation>摘要最多 %1 个字符。</translation>
    </message>
    <message>
        <source>%1 sentences of %2 characters can be pinned.</source>
        <translation>最多可以固定 %1 个句子，每句最多 %2 个字符。</translation>
    </message>
</context>
<context>
    <name>SummaryLine</name>
    <message>
        <source>Everything above is sent to the model as a summary.</source>
        <translation>以上内容会以摘要形式发送给模型。</translation>
    </message>
    <message>
        <source>There is a summary of what stands above. You switched it off.</source>
        <translation>以上内容有一份摘要，你已将它关闭。</translation>
    </message>
    <message>
        <source>The summary of what stands above held something that was forgotten. It is made again after the next answer.</source>
        <translation>以上内容的摘要里有已忘记的内容。下一次回答后会重新生成摘要。</translation>
    </message>
    <message>
        <source>What stands above is not sent to the model any more.</source>
        <translation>以上内容不再发送给模型。</translation>
    </message>
    <message>
        <source>No summary could be made: the model wrote nothing.</source>
        <translation>无法生成摘要：模型什么也没写。</translation>
    </message>
    <message>
        <source>No summary could be made: what the model wrote was too long or cut off.</source>
        <translation>无法生成摘要：模型写的内容太长或不完整。</translation>
    </message>
    <message>
        <source>No summary could be made: asking the model failed.</source>
        <translation>无法生成摘要：请求模型失败。</translation>
    </message>
    <message>
        <source>A summary is being made…</source>
        <translation>正在生成摘要…</translation>
    </message>
    <message>
        <source>Read</source>
        <translation>查看</translation>
    </message>
    <message>
        <source>Read the summary</source>
        <translation>查看摘要</translation>
    </message>
    <message>
        <source>Use summaries</source>
        <translation>使用摘要</translation>
    </message>
    <message>
        <source>Use summaries in this chat</source>
        <translation>在此对话中使用摘要</translation>
    </message>
    <message>
        <source>Make a summary</source>
        <translation>生成摘要</translation>
    </message>
    <message>
        <source>Make a summary of what stands above</source>
        <translation>为以上内容生成摘要</translation>
    </message>
</context>
<context>
    <name>SystemNotices</name>
    <message>
        <source>The answer failed</source>
        <translation>回答失败</translation>
    </message>
    <message>
        <source>Waiting for your answer</source>
        <translation>等待你的答复</translation>
    </message>
    <message>
        <source>The answer is ready</source>
        <translation>回答已完成</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
</context>
<context>
    <name>TemporaryChats</name>
    <message>
        <source>Temporary chat</source>
        <translation>临时对话</translation>
    </message>
    <message>
        <source>Leave the temporary chat?</source>
        <translation>要离开临时对话吗？</translation>
    </message>
    <message>
        <source>What is being answered or written in it ends here, and nothing of it is kept.</source>
        <translation>正在生成的回答和正在输入的内容会就此中止，其中的任何内容都不会保留。</translation>
    </message>
    <message>
        <source>Leave it</source>
        <translation>离开</translation>
    </message>
    <message>
        <source>The chat is kept</source>
        <translation>对话已保留</translation>
    </message>
</context>
<context>
    <name>TemporaryLine</name>
    <message>
        <source>Temporary: nothing of this chat is kept</source>
        <translation>临时：此对话的内容不会保留</translation>
    </message>
    <message>
        <source>Keep this chat</source>
        <translation>保留此对话</translation>
    </message>
    <message>
        <source>Make it a usual chat: it is listed, found by the search, and may be remembered</source>
        <translation>转为普通对话：会显示在列表中，可以搜索到，内容也可能被记住</translation>
    </message>
</context>
<context>
    <name>TextDialog</name>
    <message>
        <source>Copy the whole text</source>
        <translation>复制全部文本</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>上一部分</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一部分</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Part %1 of %2</source>
        <translation>第 %1 部分，共 %2 部分</translation>
    </message>
</context>
<context>
    <name>TextField</name>
    <message>
        <source>Not pasted: at most %1 characters, and %2 in one line.</source>
        <translation>没有粘贴：最多 %1 个字符，每行最多 %2 个。</translation>
    </message>
</context>
<context>
    <name>ThinkingButton</name>
    <message>
        <source>Thinking</source>
        <translation>思考</translation>
    </message>
    <message>
        <source>Thinking: %1</source>
        <translation>思考：%1</translation>
    </message>
    <message>
        <source>How much the model thinks before it answers, in this chat</source>
        <translation>此对话中，模型在回答前的思考程度</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>on</source>
        <translation>开启</translation>
    </message>
    <message>
        <source>low</source>
        <translation>低</translation>
    </message>
    <message>
        <source>medium</source>
        <translation>中</translation>
    </message>
    <message>
        <source>high</source>
        <translation>高</translation>
    </message>
    <message>
        <source>As the model likes</source>
        <translation>由模型决定</translation>
    </message>
    <message>
        <source>As in the settings (%1)</source>
        <translation>与“设置”相同（%1）</translation>
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
        <source>Waiting for your answer</source>
        <translation>等待你的答复</translation>
    </message>
    <message>
        <source>The last answer failed</source>
        <translation>上次回答失败</translation>
    </message>
    <message>
        <source>A new answer, not read yet</source>
        <translation>有新回答，未读</translation>
    </message>
    <message>
        <source>Title of the chat</source>
        <translation>对话标题</translation>
    </message>
    <message>
        <source>Name of the folder</source>
        <translation>文件夹名称</translation>
    </message>
</context>
<context>
    <name>ThreadDrag</name>
    <message numerus="yes">
        <source>%n chats</source>
        <translation>
            <numerusform>%n 个对话</numerusform>
        </translation>
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
</context>
<context>
    <name>ThreadListModel</name>
    <message>
        <source>Show more chats</source>
        <translation>显示更多对话</translation>
    </message>
    <message>
        <source>Pinned</source>
        <translation>已置顶</translation>
    </message>
    <message>
        <source>open</source>
        <translation>已展开</translation>
    </message>
    <message>
        <source>closed</source>
        <translation>已收起</translation>
    </message>
    <message>
        <source>Folder %1</source>
        <translation>文件夹 %1</translation>
    </message>
    <message numerus="yes">
        <source>%n chats</source>
        <translation>
            <numerusform>%n 个对话</numerusform>
        </translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>not read yet</source>
        <translation>未读</translation>
    </message>
    <message>
        <source>answering</source>
        <translation>正在回答</translation>
    </message>
    <message>
        <source>waiting for you</source>
        <translation>等待你的答复</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
</context>
<context>
    <name>ThreadMenu</name>
    <message>
        <source>Restore</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Bring back to the list</source>
        <translation>放回列表</translation>
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
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>取消置顶</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>置顶</translation>
    </message>
    <message>
        <source>Move to folder</source>
        <translation>移动到文件夹</translation>
    </message>
    <message>
        <source>Archive</source>
        <translation>归档</translation>
    </message>
    <message>
        <source>Mark as read</source>
        <translation>标为已读</translation>
    </message>
    <message>
        <source>Mark as unread</source>
        <translation>标为未读</translation>
    </message>
    <message>
        <source>New folder…</source>
        <translation>新建文件夹…</translation>
    </message>
    <message>
        <source>Out of the folder</source>
        <translation>移出文件夹</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message numerus="yes">
        <source>Export %n chats…</source>
        <translation>
            <numerusform>导出 %n 个对话…</numerusform>
        </translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>上移</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>下移</translation>
    </message>
    <message>
        <source>Delete the folder, keep its chats</source>
        <translation>删除文件夹，保留其中的对话</translation>
    </message>
</context>
<context>
    <name>ThreadOptionsDialog</name>
    <message>
        <source>Chat options</source>
        <translation>对话选项</translation>
    </message>
    <message>
        <source>They apply from the next message. Anything left empty follows Settings.</source>
        <translation>从下一条消息起生效。留空的项目沿用“设置”。</translation>
    </message>
    <message>
        <source>Instructions for this chat</source>
        <translation>此对话的指令</translation>
    </message>
    <message>
        <source>Instead of the instructions for every chat.</source>
        <translation>代替所有对话的指令。</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Use one of your prompts</source>
        <translation>使用你的一条提示词</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>As in Settings</source>
        <translation>与“设置”相同</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>记忆</translation>
    </message>
    <message>
        <source>Shared session</source>
        <translation>共享会话</translation>
    </message>
    <message>
        <source>This chat so far: %1</source>
        <translation>此对话累计：%1</translation>
    </message>
    <message>
        <source>As in Settings: %1</source>
        <translation>与“设置”相同：%1</translation>
    </message>
    <message>
        <source>For example: You are a patient teacher. Answer with short examples.</source>
        <translation>例如：你是一位耐心的老师。请用简短的例子回答。</translation>
    </message>
    <message>
        <source>Not saved yet.</source>
        <translation>尚未保存。</translation>
    </message>
    <message>
        <source>Use the settings</source>
        <translation>沿用“设置”</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>No options of its own: everything follows Settings</source>
        <translation>清除此对话的选项：全部沿用“设置”</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>A temporary chat is told nothing of earlier chats.</source>
        <translation>临时对话不会参考以前的对话。</translation>
    </message>
    <message>
        <source>Low: steady and exact. High: varied and surprising. Off: as in Settings, the model&apos;s own.</source>
        <translation>低：稳定、准确。高：多样、出人意料。关闭：与“设置”相同，即模型自己的设置。</translation>
    </message>
    <message>
        <source>Low: steady and exact. High: varied and surprising. Off: as in Settings, %1.</source>
        <translation>低：稳定、准确。高：多样、出人意料。关闭：与“设置”相同，即 %1。</translation>
    </message>
</context>
<context>
    <name>ThreadOptionsPresenter</name>
    <message>
        <source>its own instructions</source>
        <translation>自己的指令</translation>
    </message>
    <message>
        <source>temperature %1</source>
        <translation>温度 %1</translation>
    </message>
    <message>
        <source>an assistant</source>
        <translation>助手</translation>
    </message>
    <message>
        <source>a shared session</source>
        <translation>共享会话</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>Memory paused</source>
        <translation>记忆已暂停</translation>
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
    <name>TokenField</name>
    <message>
        <source>A token is kept</source>
        <translation>已保存令牌</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>忘记</translation>
    </message>
    <message>
        <source>Keep the token</source>
        <translation>保存令牌</translation>
    </message>
    <message>
        <source>A password is kept</source>
        <translation>已保存密码</translation>
    </message>
    <message>
        <source>Keep the password</source>
        <translation>保存密码</translation>
    </message>
    <message>
        <source>Forget the password</source>
        <translation>忘记密码</translation>
    </message>
    <message>
        <source>Password of the server</source>
        <translation>服务器的密码</translation>
    </message>
    <message>
        <source>Forget the token</source>
        <translation>忘记令牌</translation>
    </message>
    <message>
        <source>Token of the server</source>
        <translation>服务器的令牌</translation>
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
        <source>Waiting for your answer</source>
        <translation>等待你的答复</translation>
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
        <source>%1: reasoning</source>
        <translation>%1：思考</translation>
    </message>
    <message>
        <source>%1: failed</source>
        <translation>%1：失败</translation>
    </message>
    <message>
        <source>%1: %2 · %3</source>
        <translation>%1：%2 · %3</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1%</translation>
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
        <source>Task</source>
        <translation>任务</translation>
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
        <source>Error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>Copy: {what}</source>
        <translation>复制：{what}</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>展开全部</translation>
    </message>
    <message>
        <source>Show all: {what}</source>
        <translation>展开全部：{what}</translation>
    </message>
    <message>
        <source>… and %Ln more characters</source>
        <translation>…还有 %Ln 个字符</translation>
    </message>
</context>
<context>
    <name>ToolTest</name>
    <message>
        <source>The tool to be called</source>
        <translation>要调用的工具</translation>
    </message>
    <message>
        <source>Arguments as JSON</source>
        <translation>参数（JSON）</translation>
    </message>
    <message>
        <source>Call</source>
        <translation>调用</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Write the arguments as JSON</source>
        <translation>用 JSON 填写参数</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>This is not JSON that can be used: %1.</source>
        <translation>这不是可用的 JSON：%1。</translation>
    </message>
    <message>
        <source>The arguments must be one JSON object: {…}.</source>
        <translation>参数必须是一个 JSON 对象：{…}。</translation>
    </message>
    <message>
        <source>It lists no tools now, so none can be called.</source>
        <translation>它现在没有列出工具，因此无法调用。</translation>
    </message>
</context>
<context>
    <name>Transcript</name>
    <message>
        <source>You said: {text}</source>
        <translation>你说：{text}</translation>
    </message>
    <message>
        <source>Answer from {model}: {text}</source>
        <translation>{model} 的回答：{text}</translation>
    </message>
    <message>
        <source>Answer: {text}</source>
        <translation>回答：{text}</translation>
    </message>
    <message>
        <source>Demo model</source>
        <translation>演示模型</translation>
    </message>
</context>
<context>
    <name>TranscriptPresenter</name>
    <message>
        <source>The answer failed: {reason}</source>
        <translation>回答失败：{reason}</translation>
    </message>
    <message>
        <source>Answer stopped</source>
        <translation>回答已停止</translation>
    </message>
    <message>
        <source>Answer finished: {text}</source>
        <translation>回答完毕：{text}</translation>
    </message>
</context>
<context>
    <name>TranscriptView</name>
    <message>
        <source>Pasted text</source>
        <translation>粘贴的文本</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Whole message</source>
        <translation>完整消息</translation>
    </message>
</context>
<context>
    <name>TransferPresenter</name>
    <message>
        <source>Import memories</source>
        <translation>导入记忆</translation>
    </message>
    <message>
        <source>Memories (*.json *.md *.markdown *.txt)</source>
        <translation>记忆 (*.json *.md *.markdown *.txt)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message numerus="yes">
        <source>%n memories added</source>
        <translation>
            <numerusform>已添加 %n 条记忆</numerusform>
        </translation>
    </message>
    <message>
        <source>Export memories</source>
        <translation>导出记忆</translation>
    </message>
    <message>
        <source>Memories</source>
        <translation>记忆</translation>
    </message>
    <message numerus="yes">
        <source>%n memories exported to %1</source>
        <translation>
            <numerusform>已将 %n 条记忆导出到 %1</numerusform>
        </translation>
    </message>
    <message>
        <source>Show the folder</source>
        <translation>打开所在文件夹</translation>
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
    <name>TrashPresenter</name>
    <message>
        <source>Delete “%1” for good?</source>
        <translation>彻底删除“%1”？</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>新对话</translation>
    </message>
    <message numerus="yes">
        <source>Delete %n chats for good?</source>
        <translation>
            <numerusform>彻底删除 %n 个对话？</numerusform>
        </translation>
    </message>
    <message>
        <source>All its text is removed from this computer. This cannot be undone.</source>
        <translation>其中的所有文字会从这台电脑上移除，无法撤销。</translation>
    </message>
    <message>
        <source>Delete for good</source>
        <translation>彻底删除</translation>
    </message>
</context>
<context>
    <name>UnsavedMark</name>
    <message>
        <source>Not saved yet.</source>
        <translation>尚未保存。</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
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
        <source>Threadwell never opens such an address: what is marked in red says why.</source>
        <translation>Threadwell 从不打开这样的地址，原因见红色标注。</translation>
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
        <source>The address has a name and @ before the host, which makes it look like another page: it leads to the host after the @.</source>
        <translation>地址的主机前有名称和 @，看起来像另一个网页：它实际通向 @ 后面的主机。</translation>
    </message>
    <message>
        <source>The address has spaces or characters that cannot be seen.</source>
        <translation>地址里有空格或看不见的字符。</translation>
    </message>
    <message>
        <source>The address is longer than {limit} characters.</source>
        <translation>地址超过 {limit} 个字符。</translation>
    </message>
    <message>
        <source>The host is a spelling for other letters, which may only look like the ones you know: {name}</source>
        <translation>这个主机名是其他字母的另一种写法，它们可能只是看起来像你熟悉的字母：{name}</translation>
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
    <name>UsageTable</name>
    <message>
        <source>Nothing yet. What your models read and write is counted here, month by month.</source>
        <translation>还没有用量。模型的输入和输出会在这里按月统计。</translation>
    </message>
    <message>
        <source>As the providers reported it. Chats that were deleted for good are not counted.</source>
        <translation>以服务商报告的数据为准，不含已彻底删除的对话。</translation>
    </message>
    <message>
        <source>Usage by month and model</source>
        <translation>按月份和模型统计的用量</translation>
    </message>
    <message>
        <source>Month</source>
        <translation>月份</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Answers</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>Tokens read</source>
        <translation>输入 token</translation>
    </message>
    <message>
        <source>Tokens written</source>
        <translation>输出 token</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>费用</translation>
    </message>
</context>
<context>
    <name>WebDialog</name>
    <message>
        <source>Trying it out…</source>
        <translation>正在尝试…</translation>
    </message>
    <message>
        <source>Backups on a WebDAV server</source>
        <translation>备份到 WebDAV 服务器</translation>
    </message>
    <message>
        <source>Nextcloud, ownCloud, Synology and many others offer a WebDAV address. What is stored there is not encrypted by Threadwell: whoever can read the folder can read your chats.</source>
        <translation>Nextcloud、ownCloud、群晖等许多服务都提供 WebDAV 地址。Threadwell 不会加密存放在那里的内容：能读取该文件夹的人就能读取你的对话。</translation>
    </message>
    <message>
        <source>Address of the folder</source>
        <translation>文件夹地址</translation>
    </message>
    <message>
        <source>User</source>
        <translation>用户</translation>
    </message>
    <message>
        <source>Password</source>
        <translation>密码</translation>
    </message>
    <message>
        <source>The one that is kept</source>
        <translation>已保存的密码</translation>
    </message>
    <message>
        <source>Kept in the keychain</source>
        <translation>保存在钥匙串中</translation>
    </message>
    <message>
        <source>Send it without encryption</source>
        <translation>不加密发送</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Try and use</source>
        <translation>尝试并使用</translation>
    </message>
    <message>
        <source>Use a folder instead</source>
        <translation>改用文件夹</translation>
    </message>
</context>
<context>
    <name>WindowFeatures</name>
    <message>
        <source>Pasted text removed</source>
        <translation>已删除粘贴的文本</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
</context>
<context>
    <name>WindowPopup</name>
    <message>
        <source>What the next message is sent with</source>
        <translation>下一条消息的发送内容</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>系统提示词</translation>
    </message>
    <message>
        <source>Summary of the earlier part</source>
        <translation>前面部分的摘要</translation>
    </message>
    <message>
        <source>Messages of this chat</source>
        <translation>此对话的消息</translation>
    </message>
    <message>
        <source>What you are writing</source>
        <translation>正在输入的内容</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>Room for the answer</source>
        <translation>留给回答的空间</translation>
    </message>
    <message numerus="yes">
        <source>%n older messages are not sent: there is no room for them.</source>
        <translation>
            <numerusform>空间不足，%n 条较早的消息不会发送。</numerusform>
        </translation>
    </message>
    <message>
        <source>How much this model can read is not known; a usual length is assumed.</source>
        <translation>不清楚这个模型能读取多长的内容，因此按常见长度估算。</translation>
    </message>
    <message>
        <source>All figures are tokens, counted by this app. They may be off by a few per cent.</source>
        <translation>所有数字都是 token 数，由本应用计算，可能有百分之几的误差。</translation>
    </message>
</context>
<context>
    <name>WindowPresenter</name>
    <message>
        <source>This is not remembered.</source>
        <translation>这条内容不会被记住。</translation>
    </message>
</context>
<context>
    <name>_ChangeCard</name>
    <message>
        <source>Instructions of the server</source>
        <translation>服务器的指令</translation>
    </message>
    <message>
        <source>Further differences</source>
        <translation>其他差异</translation>
    </message>
    <message>
        <source>Accept</source>
        <translation>接受</translation>
    </message>
    <message>
        <source>Keep it off</source>
        <translation>保持停用</translation>
    </message>
    <message>
        <source>New</source>
        <translation>新增</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>有变化</translation>
    </message>
    <message>
        <source>kept off</source>
        <translation>已停用</translation>
    </message>
    <message>
        <source>so much differs that only the beginning is shown</source>
        <translation>差异太多，只显示开头部分</translation>
    </message>
    <message>
        <source>before</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>now</source>
        <translation>现在</translation>
    </message>
</context>
<context>
    <name>_Chips</name>
    <message>
        <source>Take the filter away: {filter}</source>
        <translation>去掉筛选条件：{filter}</translation>
    </message>
</context>
<context>
    <name>_EndpointDialog</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>_Field</name>
    <message>
        <source>%1 (may stay empty)</source>
        <translation>%1（可不填）</translation>
    </message>
</context>
<context>
    <name>_GapRow</name>
    <message>
        <source>Text from the clipboard</source>
        <translation>剪贴板中的文字</translation>
    </message>
    <message>
        <source>Selected text</source>
        <translation>选中的文字</translation>
    </message>
    <message>
        <source>Paste the clipboard</source>
        <translation>粘贴剪贴板内容</translation>
    </message>
</context>
<context>
    <name>_ImportRow</name>
    <message>
        <source>already among your servers</source>
        <translation>已在你的服务器中</translation>
    </message>
    <message>
        <source>with %1</source>
        <translation>附带 %1</translation>
    </message>
    <message>
        <source>Exact line</source>
        <translation>完整的命令</translation>
    </message>
</context>
<context>
    <name>_InputField</name>
    <message>
        <source>Kept. Type another one to replace it.</source>
        <translation>已保存；可输入新的替换</translation>
    </message>
    <message>
        <source>Paste it here</source>
        <translation>请粘贴到这里</translation>
    </message>
    <message>
        <source>Hide</source>
        <translation>隐藏</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
</context>
<context>
    <name>_ItemRow</name>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>查看</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
</context>
<context>
    <name>_OutcomeModel</name>
    <message>
        <source>New chat</source>
        <translation>新对话</translation>
    </message>
</context>
<context>
    <name>_PackageList</name>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
</context>
<context>
    <name>_PlanModel</name>
    <message>
        <source>known already</source>
        <translation>已经记住</translation>
    </message>
    <message>
        <source>forgotten before</source>
        <translation>以前忘记过</translation>
    </message>
    <message>
        <source>refused: it says nothing</source>
        <translation>已拒绝：没有实际内容</translation>
    </message>
    <message>
        <source>refused: longer than %1 characters</source>
        <translation>已拒绝：超过 %1 个字符</translation>
    </message>
    <message>
        <source>refused: it looks like a password, a key or a number that should stay secret</source>
        <translation>已拒绝：看起来像密码、密钥或应当保密的号码</translation>
    </message>
    <message>
        <source>refused: it has gaps to be filled in</source>
        <translation>已拒绝：有待填写的空白</translation>
    </message>
    <message>
        <source>refused: it tells the assistant what it may do</source>
        <translation>已拒绝：规定了助手可以做什么</translation>
    </message>
    <message>
        <source>refused: it counts in one chat only, which is not here</source>
        <translation>已拒绝：只适用于某一个对话，而那个对话不在这里</translation>
    </message>
    <message>
        <source>refused: something of it cannot be read</source>
        <translation>已拒绝：其中有无法读取的内容</translation>
    </message>
</context>
<context>
    <name>_ProblemRow</name>
    <message>
        <source>Its database cannot be read here. Open its settings for MCP servers, choose to edit them as JSON, copy all of that text, and choose “Paste JSON” here.</source>
        <translation>这里无法读取它的数据库。请打开它的 MCP 服务器设置，选择以 JSON 编辑，复制全部文字，然后在这里选择“粘贴 JSON”。</translation>
    </message>
    <message>
        <source>Its file is too large to be read.</source>
        <translation>它的文件太大，无法读取。</translation>
    </message>
    <message>
        <source>Its file is damaged: %1</source>
        <translation>它的文件已损坏：%1</translation>
    </message>
    <message>
        <source>It is damaged.</source>
        <translation>文件已损坏。</translation>
    </message>
    <message>
        <source>Its file cannot be read. %1</source>
        <translation>无法读取它的文件。%1</translation>
    </message>
</context>
<context>
    <name>_SamplingDialog</name>
    <message>
        <source>Scroll to the end of the text first. Only then can it be allowed.</source>
        <translation>请先滚动到文字末尾，之后才能允许。</translation>
    </message>
    <message>
        <source>Server “{server}”, which you added</source>
        <translation>你添加的服务器“{server}”</translation>
    </message>
    <message>
        <source>{model} at {provider}</source>
        <translation>{provider} 的 {model}</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>The whole text</source>
        <translation>全文</translation>
    </message>
</context>
<context>
    <name>_TrayRow</name>
    <message>
        <source>you said: “%1”</source>
        <translation>你说过：“%1”</translation>
    </message>
    <message>
        <source>instead of: “%1”</source>
        <translation>将取代：“%1”</translation>
    </message>
    <message>
        <source>Accept</source>
        <translation>接受</translation>
    </message>
    <message>
        <source>Refuse</source>
        <translation>拒绝</translation>
    </message>
</context>
<context>
    <name>_Waiting</name>
    <message>
        <source>Opening the chat…</source>
        <translation>正在打开对话…</translation>
    </message>
</context>
<context>
    <name>assistants</name>
    <message>
        <source>As usual</source>
        <translation>照常</translation>
    </message>
    <message>
        <source>All chats</source>
        <translation>全部对话</translation>
    </message>
    <message>
        <source>Its own chats</source>
        <translation>它自己的对话</translation>
    </message>
    <message>
        <source>Nothing</source>
        <translation>不用记忆</translation>
    </message>
    <message>
        <source>Demo model</source>
        <translation>演示模型</translation>
    </message>
    <message>
        <source>%1 (not set up any more)</source>
        <translation>%1（已不在设置中）</translation>
    </message>
    <message>
        <source>Built-in tools</source>
        <translation>内置工具</translation>
    </message>
</context>
<context>
    <name>bundled</name>
    <message>
        <source>Answer</source>
        <translation>答复</translation>
    </message>
    <message>
        <source>Run this command</source>
        <translation>运行这条命令</translation>
    </message>
    <message>
        <source>Run a command</source>
        <translation>运行命令</translation>
    </message>
    <message>
        <source>Runs a command on this computer and tells the model what it printed.</source>
        <translation>在这台电脑上运行一条命令，并把输出告诉模型。</translation>
    </message>
    <message>
        <source>Weather (example)</source>
        <translation>天气（示例）</translation>
    </message>
    <message>
        <source>Gives an example weather report for a city. It is made up: nothing is looked up.</source>
        <translation>给出某个城市的示例天气。内容是编造的，不会查询任何信息。</translation>
    </message>
    <message>
        <source>Date and time</source>
        <translation>日期和时间</translation>
    </message>
    <message>
        <source>Tells the model the date, the weekday and the time of this computer.</source>
        <translation>把这台电脑的日期、星期和时间告诉模型。</translation>
    </message>
    <message>
        <source>Calculator</source>
        <translation>计算器</translation>
    </message>
    <message>
        <source>Does arithmetic. Whole numbers and decimal fractions are exact.</source>
        <translation>进行算术运算。整数和小数的结果是精确的。</translation>
    </message>
    <message>
        <source>Question for you</source>
        <translation>向你提问</translation>
    </message>
    <message>
        <source>Asks you something in a form and tells the model your answer.</source>
        <translation>用表单向你提问，并把你的回答告诉模型。</translation>
    </message>
    <message>
        <source>Read a web page</source>
        <translation>读取网页</translation>
    </message>
    <message>
        <source>Loads one public web page and gives the model its text. What the page says is not your own word.</source>
        <translation>载入一个公开的网页，并把其中的文字交给模型。网页上的话不代表你的意思。</translation>
    </message>
    <message>
        <source>Search for tools</source>
        <translation>查找工具</translation>
    </message>
    <message>
        <source>Looks among your tools for those that did not fit beside the chat.</source>
        <translation>在你的工具中查找因对话空间不够而没有提供的工具。</translation>
    </message>
    <message>
        <source>Asks an assistant</source>
        <translation>请助手帮忙</translation>
    </message>
</context>
<context>
    <name>catalogue</name>
    <message>
        <source>Reads, writes and searches files in one folder that you choose.</source>
        <translation>在你选择的一个文件夹中读取、写入和搜索文件。</translation>
    </message>
    <message>
        <source>Fetches a web page and gives the model its text.</source>
        <translation>获取网页，并把其中的文字交给模型。</translation>
    </message>
    <message>
        <source>Reads and changes a Git repository: status, history, commits.</source>
        <translation>查看和更改 Git 仓库：状态、历史、提交。</translation>
    </message>
    <message>
        <source>Tells the time in any time zone and converts between them.</source>
        <translation>告知任意时区的时间，并在时区之间换算。</translation>
    </message>
    <message>
        <source>Remembers facts between chats, in a file on this computer.</source>
        <translation>跨对话记住信息，保存在这台电脑的一个文件里。</translation>
    </message>
    <message>
        <source>Lets the model think a problem through in numbered steps.</source>
        <translation>让模型分步骤把问题想清楚。</translation>
    </message>
    <message>
        <source>Drives a web browser: opens pages, clicks, fills in forms.</source>
        <translation>操作浏览器：打开网页、点击、填写表单。</translation>
    </message>
    <message>
        <source>Looks into pages with Chrome’s developer tools: speed, errors, network.</source>
        <translation>用 Chrome 的开发者工具检查网页：速度、错误、网络。</translation>
    </message>
    <message>
        <source>Looks up the present documentation of programming libraries.</source>
        <translation>查阅编程库的最新文档。</translation>
    </message>
    <message>
        <source>Searches the web with DuckDuckGo; needs no key.</source>
        <translation>用 DuckDuckGo 搜索网络，无需密钥。</translation>
    </message>
    <message>
        <source>Searches the web with Tavily, with a key from tavily.com.</source>
        <translation>用 Tavily 搜索网络，需要 tavily.com 的密钥。</translation>
    </message>
    <message>
        <source>Reads and writes pages of your Notion, with a token from Notion.</source>
        <translation>读写你的 Notion 页面，需要 Notion 的令牌。</translation>
    </message>
    <message>
        <source>Works with repositories, issues and pull requests on GitHub, with a token.</source>
        <translation>处理 GitHub 上的仓库、问题和拉取请求，需要令牌。</translation>
    </message>
    <message>
        <source>Creates, reads and changes Excel workbooks without Excel.</source>
        <translation>无需 Excel，即可创建、读取和更改 Excel 工作簿。</translation>
    </message>
    <message>
        <source>Finds scientific papers on arXiv and reads them.</source>
        <translation>在 arXiv 上查找并阅读论文。</translation>
    </message>
    <message>
        <source>Shows all that a tool server can do; for trying things out.</source>
        <translation>展示工具服务器的全部能力，供试用。</translation>
    </message>
</context>
<context>
    <name>changes</name>
    <message>
        <source>Title</source>
        <translation>标题</translation>
    </message>
    <message>
        <source>Description</source>
        <translation>描述</translation>
    </message>
    <message>
        <source>Instructions</source>
        <translation>指令</translation>
    </message>
    <message>
        <source>What it says of its effects</source>
        <translation>它对自身影响的说明</translation>
    </message>
    <message>
        <source>Argument “%1”</source>
        <translation>参数“%1”</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>description</source>
        <translation>描述</translation>
    </message>
    <message>
        <source>value if nothing is given</source>
        <translation>默认值</translation>
    </message>
    <message>
        <source>allowed values</source>
        <translation>允许的值</translation>
    </message>
    <message>
        <source>required ones</source>
        <translation>必填项</translation>
    </message>
    <message>
        <source>type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>title</source>
        <translation>标题</translation>
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
    <name>details</name>
    <message>
        <source>Connection refused</source>
        <translation>连接被拒绝</translation>
    </message>
    <message>
        <source>Connection reset by peer</source>
        <translation>连接被对方重置</translation>
    </message>
    <message>
        <source>Connection timed out</source>
        <translation>连接超时</translation>
    </message>
    <message>
        <source>Network is unreachable</source>
        <translation>网络不可达</translation>
    </message>
    <message>
        <source>No route to host</source>
        <translation>没有到主机的路由</translation>
    </message>
    <message>
        <source>Name or service not known</source>
        <translation>找不到主机名</translation>
    </message>
    <message>
        <source>No address associated with hostname</source>
        <translation>主机名没有对应的地址</translation>
    </message>
    <message>
        <source>Temporary failure in name resolution</source>
        <translation>域名解析暂时失败</translation>
    </message>
    <message>
        <source>Permission denied</source>
        <translation>没有权限</translation>
    </message>
    <message>
        <source>Read-only file system</source>
        <translation>文件系统是只读的</translation>
    </message>
    <message>
        <source>No space left on device</source>
        <translation>磁盘空间不足</translation>
    </message>
    <message>
        <source>Input/output error</source>
        <translation>读写错误</translation>
    </message>
    <message>
        <source>No such file or directory</source>
        <translation>没有这个文件或文件夹</translation>
    </message>
    <message>
        <source>Not a directory</source>
        <translation>不是文件夹</translation>
    </message>
    <message>
        <source>Is a directory</source>
        <translation>是文件夹</translation>
    </message>
    <message>
        <source>no connection within the time limit</source>
        <translation>在时限内没有连接上</translation>
    </message>
    <message>
        <source>no secure connection: the server there does not speak https; try http</source>
        <translation>无法建立安全连接：那里的服务器不使用 https，请尝试 http</translation>
    </message>
    <message>
        <source>no secure connection</source>
        <translation>无法建立安全连接</translation>
    </message>
    <message>
        <source>its certificate is not trusted</source>
        <translation>证书不受信任</translation>
    </message>
    <message>
        <source>the host&apos;s name is not known</source>
        <translation>找不到主机名</translation>
    </message>
    <message>
        <source>it sent something else</source>
        <translation>它返回了别的内容</translation>
    </message>
    <message>
        <source>it sent an empty answer</source>
        <translation>它返回的回答是空的</translation>
    </message>
    <message>
        <source>a line of more than 32 MB</source>
        <translation>有一行超过 32 MB</translation>
    </message>
    <message>
        <source>an event is nested too deeply</source>
        <translation>有一个事件嵌套太深</translation>
    </message>
    <message>
        <source>a part of a tool call could not be read</source>
        <translation>工具调用的一部分无法读取</translation>
    </message>
    <message>
        <source>its chunks are no valid JSON</source>
        <translation>它的数据块不是有效的 JSON</translation>
    </message>
    <message>
        <source>in the answer</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>it refused them before</source>
        <translation>之前已被拒绝</translation>
    </message>
    <message>
        <source>its list of models says so</source>
        <translation>它的模型列表这样写明</translation>
    </message>
    <message>
        <source>its schema is not of type object</source>
        <translation>参数结构的类型不是 object</translation>
    </message>
    <message>
        <source>its schema takes too much work</source>
        <translation>参数结构太复杂</translation>
    </message>
    <message>
        <source>its schema refers to itself in a circle</source>
        <translation>参数结构循环引用自身</translation>
    </message>
    <message>
        <source>its schema is not valid</source>
        <translation>参数结构无效</translation>
    </message>
    <message>
        <source>its schema is too large</source>
        <translation>参数结构太大</translation>
    </message>
    <message>
        <source>its schema is not JSON</source>
        <translation>参数结构不是 JSON</translation>
    </message>
    <message>
        <source>its schema uses dynamic references</source>
        <translation>参数结构使用了动态引用</translation>
    </message>
    <message>
        <source>it is not an object</source>
        <translation>它不是对象</translation>
    </message>
    <message>
        <source>it has no name</source>
        <translation>它没有名称</translation>
    </message>
    <message>
        <source>it is malformed</source>
        <translation>它的格式有误</translation>
    </message>
    <message>
        <source>its inputSchema does not describe an object</source>
        <translation>它的 inputSchema 描述的不是对象</translation>
    </message>
    <message>
        <source>its inputSchema is nested more than 60 deep</source>
        <translation>它的 inputSchema 嵌套超过 60 层</translation>
    </message>
    <message>
        <source>its inputSchema is too large</source>
        <translation>它的 inputSchema 太大</translation>
    </message>
    <message>
        <source>its inputSchema refers to another document</source>
        <translation>它的 inputSchema 引用了另一个文档</translation>
    </message>
    <message>
        <source>its inputSchema refers to itself without end</source>
        <translation>它的 inputSchema 无止境地引用自身</translation>
    </message>
    <message>
        <source>the list is longer than 2 MB</source>
        <translation>列表超过 2 MB</translation>
    </message>
    <message>
        <source>only the first 512 tools are used</source>
        <translation>只使用前 512 个工具</translation>
    </message>
    <message>
        <source>It is not running</source>
        <translation>它没有运行</translation>
    </message>
    <message>
        <source>It is not configured</source>
        <translation>它没有设置</translation>
    </message>
    <message>
        <source>It does not list this tool any more as it was when the call was made</source>
        <translation>它列出的这个工具与调用时不同了</translation>
    </message>
    <message>
        <source>It was switched off, removed or changed in the settings</source>
        <translation>它在设置中被关闭、移除或更改了</translation>
    </message>
    <message>
        <source>It returned nothing</source>
        <translation>它没有返回任何内容</translation>
    </message>
    <message>
        <source>It sent something that cannot be understood</source>
        <translation>它发送了无法理解的内容</translation>
    </message>
    <message>
        <source>The server sent an answer that cannot be read</source>
        <translation>服务器发送的回应无法读取</translation>
    </message>
    <message>
        <source>The server&apos;s question carries too much state</source>
        <translation>服务器的问题附带的数据太多</translation>
    </message>
    <message>
        <source>its form is malformed</source>
        <translation>表单格式有误</translation>
    </message>
    <message>
        <source>its form is too long</source>
        <translation>表单过长</translation>
    </message>
    <message>
        <source>its form requires a field that it lacks</source>
        <translation>表单要求填写一个它没有的字段</translation>
    </message>
    <message>
        <source>its form has a field of a kind that forms cannot have</source>
        <translation>表单含有不允许的字段类型</translation>
    </message>
    <message>
        <source>a field of its form is malformed</source>
        <translation>表单中有一个字段格式有误</translation>
    </message>
    <message>
        <source>the choices of a field are malformed or too many</source>
        <translation>某个字段的选项格式有误或过多</translation>
    </message>
    <message>
        <source>nothing can satisfy the bounds of a field</source>
        <translation>某个字段的限制没有任何值能满足</translation>
    </message>
    <message>
        <source>its address is missing or too long</source>
        <translation>缺少地址，或地址过长</translation>
    </message>
    <message>
        <source>no call of this server is running</source>
        <translation>当前没有正在进行的对该服务器的调用</translation>
    </message>
    <message>
        <source>too many of its questions are open</source>
        <translation>它同时提出的问题过多</translation>
    </message>
    <message>
        <source>the answer does not fit the form</source>
        <translation>填写的内容不符合表单要求</translation>
    </message>
    <message>
        <source>it could not be shown</source>
        <translation>无法显示该问题</translation>
    </message>
    <message>
        <source>It holds a value that is neither text, number nor list</source>
        <translation>含有既不是文本、数字也不是列表的值</translation>
    </message>
    <message>
        <source>It is not JSON</source>
        <translation>不是 JSON</translation>
    </message>
    <message>
        <source>It is not UTF-8 text</source>
        <translation>不是 UTF-8 文本</translation>
    </message>
    <message>
        <source>It does not hold an object</source>
        <translation>内容不是一个对象</translation>
    </message>
    <message>
        <source>It is longer than 2,000,000 characters</source>
        <translation>它超过 2,000,000 个字符</translation>
    </message>
    <message>
        <source>It is nested more than 64 levels deep</source>
        <translation>它嵌套超过 64 层</translation>
    </message>
    <message>
        <source>“mcpServers” is not an object</source>
        <translation>“mcpServers”不是一个对象</translation>
    </message>
    <message>
        <source>It contains half of a character (a lone surrogate)</source>
        <translation>含有不完整的字符（单独的代理码元）</translation>
    </message>
    <message>
        <source>it contains half of a character (a lone surrogate)</source>
        <translation>含有不完整的字符（单独的代理码元）</translation>
    </message>
    <message>
        <source>this is no regular file</source>
        <translation>这不是普通文件</translation>
    </message>
    <message>
        <source>the file does not hold an object</source>
        <translation>文件内容不是一个对象</translation>
    </message>
    <message>
        <source>The search index cannot be built</source>
        <translation>无法建立搜索索引</translation>
    </message>
    <message>
        <source>The store is closed</source>
        <translation>数据库已关闭</translation>
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
        <source>Nothing answered at {url} ({detail}). Check that the server runs and that the address is right, then try again.</source>
        <translation>{url} 没有回应（{detail}）。请确认服务器正在运行、地址正确，然后重试。</translation>
    </message>
    <message>
        <source>The model did not answer in time</source>
        <translation>模型没有及时回答</translation>
    </message>
    <message>
        <source>The text so far is kept, and no unfinished tool call was run ({detail}). Continue from there, or try again.</source>
        <translation>已收到的文字会保留，未完成的工具调用都没有运行（{detail}）。可以从这里继续，或重试。</translation>
    </message>
    <message>
        <source>The answer ended before it was complete</source>
        <translation>回答还没有完成就结束了</translation>
    </message>
    <message>
        <source>The connection was closed before the model said that it had finished. The text so far is kept. Continue from there, or try again.</source>
        <translation>模型还没有表示回答结束，连接就关闭了。已收到的文字会保留。可以从这里继续，或重试。</translation>
    </message>
    <message>
        <source>{url} reported an error of its own ({status}): {detail} Try again in a moment.</source>
        <translation>{url} 报告了自身的错误（{status}）：{detail} 请稍后重试。</translation>
    </message>
    <message>
        <source>No model is chosen</source>
        <translation>还没有选择模型</translation>
    </message>
    <message>
        <source>The key is missing</source>
        <translation>缺少密钥</translation>
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
        <source>{name} needs a key, and the system&apos;s keychain holds none for it. Open Settings, Models, enter the key there, then try again.</source>
        <translation>{name} 需要密钥，而系统钥匙串中没有。请打开“设置”中的“模型”，输入密钥，然后重试。</translation>
    </message>
    <message>
        <source>The key must be entered again</source>
        <translation>需要重新输入密钥</translation>
    </message>
    <message>
        <source>The key for {name} was kept only until Threadwell was closed. Open Settings, Models, enter it there, then try again.</source>
        <translation>{name} 的密钥只保留到上次 Threadwell 关闭为止。请打开“设置”中的“模型”，输入密钥，然后重试。</translation>
    </message>
    <message>
        <source>The keychain is locked</source>
        <translation>钥匙串已锁定</translation>
    </message>
    <message>
        <source>Access to the key for {name} was refused. Allow it in the system&apos;s keychain and try again, or open Settings, Models, and enter the key for now.</source>
        <translation>访问 {name} 的密钥被拒绝。请在系统钥匙串中允许访问后重试，或打开“设置”中的“模型”，暂时输入密钥。</translation>
    </message>
    <message>
        <source>The keychain did not answer</source>
        <translation>钥匙串没有响应</translation>
    </message>
    <message>
        <source>The key for {name} could not be read ({detail}). If a window asks for the keychain&apos;s password, answer it and try again; else open Settings, Models, and enter the key for now.</source>
        <translation>无法读取 {name} 的密钥（{detail}）。如果有窗口要求输入钥匙串的密码，请输入后重试；否则请打开“设置”中的“模型”，暂时输入密钥。</translation>
    </message>
    <message>
        <source>The key for {name} holds characters that cannot be part of a key, such as spaces or letters with accents. Copy it again and enter it in Settings, Models.</source>
        <translation>{name} 的密钥里有密钥不可能包含的字符，例如空格或带重音的字母。请重新复制，并在“设置”的“模型”中输入。</translation>
    </message>
    <message>
        <source>{url} does not know “{model}”. It has: {models}. Choose one of them.</source>
        <translation>{url} 没有“{model}”。它有：{models}。请从中选择。</translation>
    </message>
    <message>
        <source>The model is still being loaded</source>
        <translation>模型还在加载</translation>
    </message>
    <message>
        <source>No answer came in time</source>
        <translation>没有及时得到回答</translation>
    </message>
    <message>
        <source>{url} answered {status}: {detail} The account, its plan or the region may not use this model. Choose another model, or ask the provider.</source>
        <translation>{url} 返回 {status}：{detail} 这个账户、它的套餐或所在地区可能不能使用这个模型。请换一个模型，或咨询服务商。</translation>
    </message>
    <message>
        <source>{detail} What was received is kept. Try again; if it happens again, the log files have the details for a report.</source>
        <translation>{detail} 已收到的内容会保留。请重试；如果再次发生，日志文件中有报告问题所需的详细信息。</translation>
    </message>
    <message>
        <source>The last change could not be saved in {path}; what was saved before is safe. Free some space, then try again.</source>
        <translation>最近的更改无法保存到 {path}；之前保存的内容是安全的。请腾出一些空间，然后重试。</translation>
    </message>
    <message>
        <source>It was deleted, or its id {thread_id} is wrong. Look for it in the list or in the Trash.</source>
        <translation>它已被删除，或者编号 {thread_id} 有误。请在列表或回收站中查找。</translation>
    </message>
    <message>
        <source>{holder} uses {path}, and two at once would damage it. Close the other one first, then start again.</source>
        <translation>{holder} 正在使用 {path}，两个程序同时使用会造成损坏。请先关闭另一个，然后重新启动。</translation>
    </message>
    <message>
        <source>The settings file was changed by something else</source>
        <translation>设置文件被其他程序更改过</translation>
    </message>
    <message>
        <source>{path}: {detail} The other servers are used. Correct this one in Settings, Tool servers.</source>
        <translation>{path}：{detail} 其他服务器照常使用。请在“设置”的“工具服务器”中更正这一个。</translation>
    </message>
    <message>
        <source>The key may still be in the keychain</source>
        <translation>密钥可能还在钥匙串中</translation>
    </message>
    <message>
        <source>It could not be deleted there ({detail}). Threadwell does not use it any more. Delete the entry “{entry}” in the system&apos;s keychain yourself.</source>
        <translation>无法从中删除（{detail}）。Threadwell 不再使用它。请自己在系统钥匙串中删除条目“{entry}”。</translation>
    </message>
    <message>
        <source>The account has no credit left</source>
        <translation>账户余额不足</translation>
    </message>
    <message>
        <source>{url} answered: {detail} Top up the account, then try again.</source>
        <translation>{url} 返回：{detail} 请充值后重试。</translation>
    </message>
    <message>
        <source>The answer did not end</source>
        <translation>回答没完没了</translation>
    </message>
    <message>
        <source>The model wrote far more than an answer can hold and was stopped; models that repeat themselves do that. The beginning is kept. Try again, or choose another model.</source>
        <translation>模型写出的内容远超一条回答所能容纳的长度，已被停止；陷入重复的模型会这样。开头部分已保留。请重试，或换一个模型。</translation>
    </message>
    <message>
        <source>Something in Threadwell failed while answering</source>
        <translation>回答时 Threadwell 内部出错了</translation>
    </message>
    <message>
        <source>The data folder cannot be written</source>
        <translation>无法写入数据文件夹</translation>
    </message>
    <message>
        <source>The database was made by a newer Threadwell</source>
        <translation>数据库来自更新版本的 Threadwell</translation>
    </message>
    <message>
        <source>The database was damaged</source>
        <translation>数据库已损坏</translation>
    </message>
    <message>
        <source>Nothing of your chats could be read ({detail}). The file was kept as {kept_as}, and a new one was started. If you have a backup, restore it in the settings under Data.</source>
        <translation>对话内容完全无法读取（{detail}）。文件已保留为 {kept_as}，并新建了数据库。如有备份，请在设置的“数据”中恢复。</translation>
    </message>
    <message>
        <source>The disk is full</source>
        <translation>磁盘已满</translation>
    </message>
    <message>
        <source>The database could not be used</source>
        <translation>数据库无法使用</translation>
    </message>
    <message>
        <source>The data folder is in use</source>
        <translation>数据文件夹正在使用</translation>
    </message>
    <message>
        <source>The system says: {detail} Check that the file is there and that you may read it.</source>
        <translation>系统提示：{detail} 请确认文件存在，并且你有读取权限。</translation>
    </message>
    <message>
        <source>It has {size}; at most {limit} can be attached. Attach a smaller file or a part of it.</source>
        <translation>大小为 {size}，最多只能添加 {limit}。请添加小一些的文件，或只添加其中一部分。</translation>
    </message>
    <message>
        <source>Save it as JPEG or PNG in another program, and attach that file.</source>
        <translation>请用其他程序另存为 JPEG 或 PNG 后再添加。</translation>
    </message>
    <message>
        <source>The settings file could not be read</source>
        <translation>无法读取设置文件</translation>
    </message>
    <message>
        <source>The settings were made by a newer Threadwell</source>
        <translation>设置来自更新版本的 Threadwell</translation>
    </message>
    <message>
        <source>The list of MCP servers cannot be used</source>
        <translation>MCP 服务器列表不能使用</translation>
    </message>
    <message>
        <source>An MCP server was left out</source>
        <translation>有一个 MCP 服务器没有启用</translation>
    </message>
    <message>
        <source>The model cannot be reached</source>
        <translation>无法连接模型</translation>
    </message>
    <message>
        <source>The proxy did not lead to the model</source>
        <translation>代理没有连通模型</translation>
    </message>
    <message>
        <source>The way to {url} leads through a proxy, and that failed ({detail}). Check that the proxy runs and lets it through; it is set with the provider or by the system.</source>
        <translation>连接 {url} 需要经由代理，但代理出错了（{detail}）。请确认代理正在运行，并且允许这个连接；代理在服务商的设置或系统设置中指定。</translation>
    </message>
    <message>
        <source>The name in {url} was not found on the network ({detail}). Check your internet connection and the address, then try again.</source>
        <translation>在网络上找不到 {url} 中的主机名（{detail}）。请检查网络连接和地址，然后重试。</translation>
    </message>
    <message>
        <source>No text arrived for {seconds} seconds. The text so far is kept. Try again, or choose a faster model.</source>
        <translation>{seconds} 秒内没有收到文字。已收到的文字会保留。请重试，或换一个更快的模型。</translation>
    </message>
    <message>
        <source>The connection to the model was lost</source>
        <translation>与模型的连接中断了</translation>
    </message>
    <message>
        <source>The model gave no answer</source>
        <translation>模型没有给出回答</translation>
    </message>
    <message>
        <source>The answer was empty. The chat may be too long for this model; start a new chat or choose another model.</source>
        <translation>回答是空的。对话可能对这个模型来说太长了；请新建对话，或换一个模型。</translation>
    </message>
    <message>
        <source>The key was refused</source>
        <translation>密钥被拒绝</translation>
    </message>
    <message>
        <source>{url} answered {status}: {detail} Check the key, and that it belongs to this provider; then try again.</source>
        <translation>{url} 返回 {status}：{detail} 请检查密钥，并确认它属于这个服务商，然后重试。</translation>
    </message>
    <message>
        <source>The model or its address was not found</source>
        <translation>没有找到模型或它的地址</translation>
    </message>
    <message>
        <source>{url} answered 404 for the model “{model}”: {detail} Check the model&apos;s name and the address.</source>
        <translation>{url} 对模型“{model}”返回 404：{detail} 请检查模型名称和地址。</translation>
    </message>
    <message>
        <source>The model was not found</source>
        <translation>没有找到模型</translation>
    </message>
    <message>
        <source>{url} does not offer “{model}” to this account: {detail} Choose another model, or check the name.</source>
        <translation>{url} 不向这个账户提供“{model}”：{detail} 请换一个模型，或检查名称。</translation>
    </message>
    <message>
        <source>The provider was removed</source>
        <translation>服务商已被移除</translation>
    </message>
    <message>
        <source>“{model}” was not asked: its provider is not in the settings any more. Choose other models for this chat, or add the provider again.</source>
        <translation>没有询问“{model}”：它的服务商已不在设置中。请为此对话选择其他模型，或重新添加这个服务商。</translation>
    </message>
    <message>
        <source>The address is not quite right</source>
        <translation>地址不太对</translation>
    </message>
    <message>
        <source>Nothing at {url} answers like a model: {detail} The address is probably {suggestion}. Change it in Settings, Models.</source>
        <translation>{url} 不像模型服务：{detail} 正确的地址可能是 {suggestion}。请在“设置”的“模型”中更改。</translation>
    </message>
    <message>
        <source>The provider&apos;s filter refused the request</source>
        <translation>请求被服务商的内容过滤拒绝</translation>
    </message>
    <message>
        <source>{url} answered: {detail} Sending it again will not help. Put it in other words, start a new chat, or choose another model.</source>
        <translation>{url} 返回：{detail} 再次发送也没有用。请换一种说法、新建对话，或换一个模型。</translation>
    </message>
    <message>
        <source>The model has too much to do</source>
        <translation>模型太忙了</translation>
    </message>
    <message>
        <source>{url} takes no more requests at the moment: {detail} Try again later, or choose another model.</source>
        <translation>{url} 暂时不再接受请求：{detail} 请稍后重试，或换一个模型。</translation>
    </message>
    <message>
        <source>The model called a tool in a form that its server cannot read</source>
        <translation>模型调用工具的格式有误，它的服务器无法读取</translation>
    </message>
    <message>
        <source>{url} answered: {detail} Nothing was run, and the text so far is kept. Try again, or choose another model.</source>
        <translation>{url} 返回：{detail} 没有运行任何工具，已收到的文字会保留。请重试，或换一个模型。</translation>
    </message>
    <message>
        <source>Too many requests</source>
        <translation>请求太多</translation>
    </message>
    <message>
        <source>The provider accepts no more for now, or the account&apos;s quota is used up: {detail} Wait a moment and try again.</source>
        <translation>服务商暂时不再接受请求，或账户额度已用完：{detail} 请稍等片刻再试。</translation>
    </message>
    <message>
        <source>The request was refused</source>
        <translation>请求被拒绝</translation>
    </message>
    <message>
        <source>{url} answered {status}: {detail} Check the model and its settings, or choose another model.</source>
        <translation>{url} 返回 {status}：{detail} 请检查模型及其设置，或换一个模型。</translation>
    </message>
    <message>
        <source>The model&apos;s server failed</source>
        <translation>模型服务器出错了</translation>
    </message>
    <message>
        <source>This address does not answer like a model</source>
        <translation>这个地址不像模型服务</translation>
    </message>
    <message>
        <source>{url} sent {content_type} instead of an answer: {detail} Check the address; it usually ends in /v1.</source>
        <translation>{url} 返回的是 {content_type}，而不是回答：{detail} 请检查地址，它通常以 /v1 结尾。</translation>
    </message>
    <message>
        <source>The address cannot be used</source>
        <translation>这个地址不能使用</translation>
    </message>
    <message>
        <source>“{url}” is not an address like http://host/v1 or https://host/v1. Correct it in Settings, Models.</source>
        <translation>“{url}”不是 http://host/v1 或 https://host/v1 这样的地址。请在“设置”的“模型”中更正。</translation>
    </message>
    <message>
        <source>{url} must be told which model should answer. Choose one above the chat, or in Settings, Models.</source>
        <translation>需要告诉 {url} 由哪个模型回答。请在对话上方，或在“设置”的“模型”中选择。</translation>
    </message>
    <message>
        <source>The environment variable {variable} is not set or is empty. Set it, then restart Threadwell.</source>
        <translation>环境变量 {variable} 没有设置或是空的。请设置后重新启动 Threadwell。</translation>
    </message>
    <message>
        <source>The key for {name} is in the system&apos;s keychain, which is locked. Unlock it and try again, or open Settings, Models, and enter the key for now.</source>
        <translation>{name} 的密钥在系统钥匙串中，而钥匙串已锁定。请解锁后重试，或打开“设置”中的“模型”，暂时输入密钥。</translation>
    </message>
    <message>
        <source>The keychain refused access to the key</source>
        <translation>钥匙串拒绝提供密钥</translation>
    </message>
    <message>
        <source>No keychain is available</source>
        <translation>没有可用的钥匙串</translation>
    </message>
    <message>
        <source>The key for {name} was kept in the system&apos;s keychain. Open Settings, Models, enter the key for now, then try again.</source>
        <translation>{name} 的密钥保存在系统钥匙串中。请打开“设置”中的“模型”，暂时输入密钥，然后重试。</translation>
    </message>
    <message>
        <source>There is no list of models</source>
        <translation>没有模型列表</translation>
    </message>
    <message>
        <source>{url} does not say which models it has ({detail}). Type the model&apos;s name yourself.</source>
        <translation>{url} 没有说明有哪些模型（{detail}）。请自己输入模型名称。</translation>
    </message>
    <message>
        <source>This model is not available</source>
        <translation>没有这个模型</translation>
    </message>
    <message>
        <source>The server at {url} is loading the model into memory. Try again in a moment.</source>
        <translation>{url} 的服务器正在把模型加载到内存。请稍后重试。</translation>
    </message>
    <message>
        <source>{url} accepted the question, but nothing came back within {seconds} seconds. A local model may still be loading. Try again, or choose a smaller or faster model.</source>
        <translation>{url} 收到了问题，但 {seconds} 秒内没有返回任何内容。本地模型可能还在加载。请重试，或换一个更小或更快的模型。</translation>
    </message>
    <message>
        <source>The connection broke off</source>
        <translation>连接中断了</translation>
    </message>
    <message>
        <source>{url} began to answer, but the answer did not arrive whole ({detail}). Try again, or choose another model.</source>
        <translation>{url} 开始了回答，但回答没有完整到达（{detail}）。请重试，或换一个模型。</translation>
    </message>
    <message>
        <source>Access was denied</source>
        <translation>访问被拒绝</translation>
    </message>
    <message>
        <source>The chat is too long for this model</source>
        <translation>对话对这个模型来说太长了</translation>
    </message>
    <message>
        <source>{detail} Start a new chat, or choose a model with a larger context.</source>
        <translation>{detail} 请新建对话，或选择上下文更长的模型。</translation>
    </message>
    <message>
        <source>The address redirects to another one</source>
        <translation>这个地址转到了另一个地址</translation>
    </message>
    <message>
        <source>{url} answered {status} and redirects to {location}. Nothing was sent there. If you trust it, enter it as the address.</source>
        <translation>{url} 返回 {status}，要求转到 {location}。没有向那里发送任何内容。如果你信任它，请把它设为地址。</translation>
    </message>
    <message>
        <source>The answer could not be read</source>
        <translation>无法读取回答</translation>
    </message>
    <message>
        <source>Changes cannot be saved now: {path}: {detail} Give yourself the right to write there, or start with another folder (--data-dir).</source>
        <translation>现在无法保存更改：{path}：{detail} 请给自己那里的写入权限，或换一个文件夹启动（--data-dir）。</translation>
    </message>
    <message>
        <source>{path} has version {found}; this program knows version {known}. It was left untouched. Update Threadwell, or choose another folder with --data-dir.</source>
        <translation>{path} 的版本是 {found}，本程序只认识 {known}。文件没有被改动。请更新 Threadwell，或用 --data-dir 选择另一个文件夹。</translation>
    </message>
    <message>
        <source>{detail} The last change was not saved; what was saved before is safe. Try again; if it happens again, restart Threadwell.</source>
        <translation>{detail} 最近的更改没有保存；之前保存的内容是安全的。请重试；如果再次发生，请重新启动 Threadwell。</translation>
    </message>
    <message>
        <source>This chat no longer exists</source>
        <translation>这个对话已不存在</translation>
    </message>
    <message>
        <source>The file “{name}” is no longer there</source>
        <translation>文件“{name}”已不存在</translation>
    </message>
    <message>
        <source>Nothing was sent. Remove it from the message, attach it again, and send.</source>
        <translation>没有发送任何内容。请从消息中移除它，重新添加后再发送。</translation>
    </message>
    <message>
        <source>“{name}” cannot be opened</source>
        <translation>无法打开“{name}”</translation>
    </message>
    <message>
        <source>“{name}” was not saved</source>
        <translation>没有保存“{name}”</translation>
    </message>
    <message>
        <source>The system says: {detail} Choose another folder, or make room on the disk.</source>
        <translation>系统提示：{detail} 请选择其他文件夹，或腾出一些磁盘空间。</translation>
    </message>
    <message>
        <source>“{name}” is not a file</source>
        <translation>“{name}”不是文件</translation>
    </message>
    <message>
        <source>Only single files can be attached, no folders.</source>
        <translation>只能添加单个文件，不能添加文件夹。</translation>
    </message>
    <message>
        <source>“{name}” is empty</source>
        <translation>“{name}”是空的</translation>
    </message>
    <message>
        <source>There is nothing in it that could be sent.</source>
        <translation>里面没有可以发送的内容。</translation>
    </message>
    <message>
        <source>“{name}” is too large</source>
        <translation>“{name}”太大</translation>
    </message>
    <message>
        <source>The text in “{name}” is too long</source>
        <translation>“{name}”中的文字太长</translation>
    </message>
    <message>
        <source>It has {size}; at most {limit} can be sent. Attach the part that matters.</source>
        <translation>大小为 {size}，最多只能发送 {limit}。请只添加需要的部分。</translation>
    </message>
    <message>
        <source>“{name}” holds no text</source>
        <translation>“{name}”不是文本文件</translation>
    </message>
    <message>
        <source>Text files, PDFs and pictures can be attached. Save it as one of these first.</source>
        <translation>可以添加文本文件、PDF 和图片。请先另存为其中一种格式。</translation>
    </message>
    <message>
        <source>“{name}” is a picture of a kind that cannot be read here</source>
        <translation>不支持“{name}”的图片格式</translation>
    </message>
    <message>
        <source>The picture “{name}” cannot be read</source>
        <translation>无法读取图片“{name}”</translation>
    </message>
    <message>
        <source>The file may be damaged. Open it in another program and save it as JPEG or PNG.</source>
        <translation>文件可能已损坏。请用其他程序打开，并另存为 JPEG 或 PNG。</translation>
    </message>
    <message>
        <source>The picture “{name}” is too large</source>
        <translation>图片“{name}”太大</translation>
    </message>
    <message>
        <source>It has {width} × {height} pixels; at most 100 million can be read.</source>
        <translation>图片为 {width} × {height} 像素，最多只能读取 1 亿像素。</translation>
    </message>
    <message>
        <source>The PDF “{name}” cannot be read</source>
        <translation>无法读取 PDF“{name}”</translation>
    </message>
    <message>
        <source>The file may be damaged. Open it in another program and save it anew.</source>
        <translation>文件可能已损坏。请用其他程序打开并重新保存。</translation>
    </message>
    <message>
        <source>The PDF “{name}” is protected by a password</source>
        <translation>PDF“{name}”有密码保护</translation>
    </message>
    <message>
        <source>Save it without the password and attach that.</source>
        <translation>请另存为没有密码的文件后再添加。</translation>
    </message>
    <message>
        <source>There is no text in the PDF “{name}”</source>
        <translation>PDF“{name}”中没有文字</translation>
    </message>
    <message>
        <source>It may be a scan. Attach its pages as pictures, for a model that can see.</source>
        <translation>它可能是扫描件。请把页面作为图片添加，并使用支持图片的模型。</translation>
    </message>
    <message>
        <source>The Word document “{name}” cannot be read</source>
        <translation>无法读取 Word 文档“{name}”</translation>
    </message>
    <message>
        <source>It may be damaged or protected by a password. Open it in Word and save it anew without one.</source>
        <translation>它可能已损坏，或有密码保护。请用 Word 打开，并另存为没有密码的文件。</translation>
    </message>
    <message>
        <source>“{name}” is too large inside</source>
        <translation>“{name}”解压后太大</translation>
    </message>
    <message>
        <source>Unpacked it has more than {limit}, which no ordinary document has. It was not read.</source>
        <translation>解压后超过 {limit}，普通文档不会这么大，因此没有读取。</translation>
    </message>
    <message>
        <source>Nothing can be found in it. It may be a scan, or hold nothing but pictures.</source>
        <translation>其中找不到任何文字。它可能是扫描件，或者只有图片。</translation>
    </message>
    <message>
        <source>“{name}” cannot be read</source>
        <translation>无法读取“{name}”</translation>
    </message>
    <message>
        <source>“{name}” does not fit into this message</source>
        <translation>这条消息放不下“{name}”</translation>
    </message>
    <message>
        <source>At most 14 MB of pictures and 2 MB of text go with one message. Send it without this one.</source>
        <translation>一条消息最多附带 14 MB 图片和 2 MB 文本。请去掉这个文件再发送。</translation>
    </message>
    <message>
        <source>The chats in “{name}” cannot be read</source>
        <translation>无法读取“{name}”中的对话</translation>
    </message>
    <message>
        <source>The file is damaged, or it is no export of chats. What was read before is here. Export the chats again where they come from, and import the new file.</source>
        <translation>文件已损坏，或者不是对话的导出文件。在此之前读取的已保留。请在来源处重新导出对话，再导入新文件。</translation>
    </message>
    <message>
        <source>“{name}” holds too much</source>
        <translation>“{name}”的内容过大</translation>
    </message>
    <message>
        <source>What is packed into it is far larger than an export of chats could be, so it was not opened. Export the chats again where they come from, a part at a time.</source>
        <translation>其中压缩的内容远大于正常的对话导出，因此没有打开。请在来源处分批重新导出对话。</translation>
    </message>
    <message>
        <source>There are no chats in “{name}”</source>
        <translation>“{name}”中没有对话</translation>
    </message>
    <message>
        <source>Choose an export of Threadwell, ChatGPT, Claude, Open WebUI or Cherry Studio, as a JSON or ZIP file, or the folder with the conversations of LM Studio.</source>
        <translation>请选择 Threadwell、ChatGPT、Claude、Open WebUI 或 Cherry Studio 导出的 JSON 或 ZIP 文件，或 LM Studio 的对话文件夹。</translation>
    </message>
    <message>
        <source>The picture from {host} was not loaded</source>
        <translation>没有加载来自 {host} 的图片</translation>
    </message>
    <message>
        <source>The address leads to this computer or into a private network. Pictures are loaded from the web only.</source>
        <translation>该地址指向这台电脑或内部网络。图片只会从互联网加载。</translation>
    </message>
    <message>
        <source>The picture from {host} took too long</source>
        <translation>来自 {host} 的图片加载时间过长</translation>
    </message>
    <message>
        <source>It was given up after {seconds} seconds. Click it once more to try again.</source>
        <translation>{seconds} 秒后已放弃。再次点击即可重试。</translation>
    </message>
    <message>
        <source>The picture from {host} could not be loaded</source>
        <translation>无法加载来自 {host} 的图片</translation>
    </message>
    <message>
        <source>What the web server or the network said: {detail}. The link can be opened in the browser.</source>
        <translation>服务器或网络的回应：{detail}。该链接可以在浏览器中打开。</translation>
    </message>
    <message>
        <source>Reading “{name}” took too long</source>
        <translation>读取“{name}”用时太久</translation>
    </message>
    <message>
        <source>It was given up after {seconds} seconds. Attach a smaller file.</source>
        <translation>{seconds} 秒后已停止读取。请添加小一些的文件。</translation>
    </message>
    <message>
        <source>It was kept as {kept_as}, and the default settings are used ({detail}). Your chats are not affected. Set up again what you need, or fix the file while Threadwell is closed.</source>
        <translation>它被保存为 {kept_as}，现在使用默认设置（{detail}）。你的对话不受影响。请重新设置所需的项目，或在 Threadwell 关闭时修正文件。</translation>
    </message>
    <message>
        <source>That version was kept as {kept_as}; what is set in Threadwell applies. Change the file only while Threadwell is closed.</source>
        <translation>那个版本已保存为 {kept_as}；以 Threadwell 中的设置为准。请只在 Threadwell 关闭时更改这个文件。</translation>
    </message>
    <message>
        <source>They were kept as {kept_as}, and the default settings are used. Your chats are not affected. Update Threadwell, or set up again what you need.</source>
        <translation>它们被保存为 {kept_as}，现在使用默认设置。你的对话不受影响。请更新 Threadwell，或重新设置所需的项目。</translation>
    </message>
    <message>
        <source>{path}: {detail} None of its servers is used. Correct the file, then restart Threadwell.</source>
        <translation>{path}：{detail} 其中的服务器都没有使用。请更正文件，然后重新启动 Threadwell。</translation>
    </message>
    <message>
        <source>A tool server waits for you</source>
        <translation>有工具服务器等你处理</translation>
    </message>
    <message>
        <source>{detail}: new or changed, and not started yet. Look at what would be started in Settings, Tool servers.</source>
        <translation>{detail}：是新的或有变化，尚未启动。请在“设置”的“工具服务器”中查看将要启动的内容。</translation>
    </message>
    <message>
        <source>You are signed out here only</source>
        <translation>你只在这里退出了登录</translation>
    </message>
    <message>
        <source>{host} could not be told that you signed out. Threadwell has forgotten the sign-in, but what you allowed may hold there until it ends by itself. You can withdraw it on that site, in your account there.</source>
        <translation>无法通知 {host} 你已退出登录。Threadwell 已忘记这次登录，但你在那边授予的权限可能要到自行失效为止。你可以在该网站的账户里撤销它。</translation>
    </message>
    <message>
        <source>Memories are found by words only</source>
        <translation>目前只能按字词查找记忆</translation>
    </message>
    <message>
        <source>What finds them by their meaning is missing or damaged ({detail}). Install Threadwell again, then restart it. Nothing that is remembered is lost.</source>
        <translation>按含义查找所需的部分缺失或损坏（{detail}）。请重新安装 Threadwell 并重新启动。已记住的内容没有丢失。</translation>
    </message>
    <message>
        <source>A text could not be looked at for its meaning</source>
        <translation>有一段文字无法按含义处理</translation>
    </message>
    <message>
        <source>It is found by its words only ({detail}). Nothing that is remembered is lost; it is tried again.</source>
        <translation>它只能按字词找到（{detail}）。已记住的内容没有丢失，稍后会再试。</translation>
    </message>
    <message>
        <source>The index of memories is being made anew</source>
        <translation>正在重建记忆索引</translation>
    </message>
    <message>
        <source>It could not be used ({detail}). Until it is there again, memories are found by their words only. Nothing that is remembered is lost.</source>
        <translation>索引无法使用（{detail}）。重建完成之前，只能按字词查找记忆。已记住的内容没有丢失。</translation>
    </message>
    <message>
        <source>What finds them by their meaning answers too slowly to be waited for. Each answer is told what shares words with the question.</source>
        <translation>按含义查找太慢，来不及等待。每次回答只参考与问题有相同字词的内容。</translation>
    </message>
    <message>
        <source>The provider that was to find them by their meaning is not among your providers any more, or has no model for it. Choose another one in the settings of memory.</source>
        <translation>负责按含义查找的服务商已不在你的服务商之中，或没有适用的模型。请在“设置”的“记忆”中另选一个。</translation>
    </message>
    <message>
        <source>The provider that finds them by their meaning does not answer ({detail}). Nothing that is remembered is lost; it is asked again from time to time.</source>
        <translation>负责按含义查找的服务商没有回应（{detail}）。已记住的内容没有丢失，稍后会不时重试。</translation>
    </message>
    <message>
        <source>The provider&apos;s model is another one than before: its answers have another length ({detail}). Choose it anew in the settings of memory, and everything is prepared for it.</source>
        <translation>服务商的模型与之前不同：它返回的数据长度变了（{detail}）。请在“设置”的“记忆”中重新选择它，随后会为它重新准备所有内容。</translation>
    </message>
    <message>
        <source>The provider&apos;s model cannot tell texts apart ({detail}). Choose a model that is made for comparing texts in the settings of memory.</source>
        <translation>服务商的模型无法区分不同的文字（{detail}）。请在“设置”的“记忆”中选择专门用于比较文字的模型。</translation>
    </message>
    <message>
        <source>The index of memories is kept in this computer&apos;s working memory</source>
        <translation>记忆索引暂时放在这台电脑的内存中</translation>
    </message>
    <message>
        <source>Its usual place, a folder or a server, cannot be used at the moment. Memories are found all the same; the usual place is tried again from time to time.</source>
        <translation>它平时的位置（文件夹或服务器）目前无法使用。记忆仍然可以找到，稍后会不时重试平时的位置。</translation>
    </message>
    <message>
        <source>A part of what you removed is still in the index of memories</source>
        <translation>你删除的内容还有一部分留在记忆索引中</translation>
    </message>
    <message>
        <source>The index cannot be reached at the moment. What you removed is not found any more, and its last traces are deleted as soon as that is possible.</source>
        <translation>目前无法访问索引。你删除的内容已不会再被找到，残留部分会尽快删除。</translation>
    </message>
    <message>
        <source>This is remembered already</source>
        <translation>这一条已经记住了</translation>
    </message>
    <message>
        <source>The same sentence is among your memories, and is not kept twice. Search for it on the memory page to change it.</source>
        <translation>你的记忆中已有同样的一句话，不会重复保存。要更改它，请在记忆页面搜索。</translation>
    </message>
    <message>
        <source>This chat is still answering</source>
        <translation>这个对话还在回答</translation>
    </message>
    <message>
        <source>Wait for the answer or stop it, then send again.</source>
        <translation>请等待回答结束或将其停止，然后重新发送。</translation>
    </message>
    <message>
        <source>{most} messages wait in this chat already</source>
        <translation>这个对话里已有 {most} 条消息在排队</translation>
    </message>
    <message>
        <source>No more can wait at once. Your text stays in the message field; remove one that waits, or send some.</source>
        <translation>不能再排更多了。你的文字还在输入框里；请移除一条排队的消息，或先发送几条。</translation>
    </message>
    <message>
        <source>This message has {most} answers already</source>
        <translation>这条消息已经有 {most} 个回答</translation>
    </message>
    <message>
        <source>No more can stand beside each other. Go on with one of them, or send the message once more.</source>
        <translation>不能再并排添加更多回答。请用其中一个继续，或重新发送这条消息。</translation>
    </message>
    <message>
        <source>There is nothing to continue</source>
        <translation>没有可以继续的回答</translation>
    </message>
    <message>
        <source>The last answer of this chat is complete. Send a message instead.</source>
        <translation>此对话的上一个回答已经完整。请直接发送消息。</translation>
    </message>
    <message>
        <source>The message that this answers was deleted</source>
        <translation>这个回答所对应的消息已被删除</translation>
    </message>
    <message>
        <source>There is nothing left that could be answered again. Send the message once more to get an answer.</source>
        <translation>已经没有可以重新回答的内容。请再发送一次该消息来获得回答。</translation>
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
        <source>{server}: {detail} Nothing was put into your message; try again, or choose something else.</source>
        <translation>{server}：{detail} 没有内容放进你的消息；请重试，或选择别的。</translation>
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
        <source>The tool server did not answer in time</source>
        <translation>工具服务器没有及时回应</translation>
    </message>
    <message>
        <source>Nothing came from {server} within {seconds} seconds. Try again; Settings, Tool servers, shows how it is.</source>
        <translation>{seconds} 秒内没有收到 {server} 的任何内容。请重试；在“设置”的“工具服务器”中可以查看它的状态。</translation>
    </message>
    <message>
        <source>The tool server did not do it</source>
        <translation>工具服务器没有完成</translation>
    </message>
    <message>
        <source>Something went wrong</source>
        <translation>出了点问题</translation>
    </message>
    <message>
        <source>An error in Threadwell: {detail} What was saved is safe. If something does not work now, restart Threadwell; the log files have the details for a report.</source>
        <translation>Threadwell 内部出错：{detail} 已保存的内容是安全的。如果现在有什么不能正常工作，请重新启动 Threadwell；日志文件中有报告问题所需的详细信息。</translation>
    </message>
    <message>
        <source>The database was damaged; what could be read was saved</source>
        <translation>数据库已损坏，能读出的内容已保存</translation>
    </message>
    <message>
        <source>Here again: {chats} chats with {messages} messages, and {memories} memories. {incomplete} messages are not whole, and {pages} parts of the file could not be read ({detail}). Lasting permissions are asked for again. The damaged file was kept as {kept_as}. If you have a backup, restore it and choose to merge: it adds what is missing.</source>
        <translation>已找回：{chats} 个对话、{messages} 条消息和 {memories} 条记忆。{incomplete} 条消息不完整，文件中有 {pages} 处无法读取（{detail}）。长期许可需要重新询问。损坏的文件已保留为 {kept_as}。如有备份，请恢复并选择添加缺少的内容。</translation>
    </message>
    <message>
        <source>An index of the database was damaged and was made anew</source>
        <translation>数据库的一个索引已损坏，现已重新建立</translation>
    </message>
    <message>
        <source>The library was looked through, since something in it could not be read ({detail}). Nothing was lost. If it happens again, the disk may be failing: make a backup on another one.</source>
        <translation>由于有内容无法读取（{detail}），已检查整个资料库。没有丢失任何内容。如果再次发生，磁盘可能有故障：请在另一块磁盘上做一份备份。</translation>
    </message>
    <message>
        <source>Something in the database cannot be read</source>
        <translation>数据库中有内容无法读取</translation>
    </message>
    <message>
        <source>The file is damaged ({detail}). Nothing was changed. Restart Threadwell: it then looks through the whole library, puts right what it can, and says what it did.</source>
        <translation>文件已损坏（{detail}）。没有做任何改动。请重新启动 Threadwell：它会检查整个资料库，修复能修复的部分，并告诉你结果。</translation>
    </message>
    <message>
        <source>Something in the library is not sound</source>
        <translation>数据中有问题</translation>
    </message>
    <message>
        <source>The library was checked, and not all that was wrong could be mended. In the settings under Data, Check now says what it is; a backup may still have what is missing. {detail}</source>
        <translation>已检查资料库，但并非所有问题都能修复。在设置的“数据”中点“立即检查”可以查看详情；备份里也许还有缺少的内容。{detail}</translation>
    </message>
    <message>
        <source>A backup or a restore is running already</source>
        <translation>已有备份或恢复正在进行</translation>
    </message>
    <message>
        <source>Only one can run at a time. Wait until it has ended, or stop it, then try again.</source>
        <translation>一次只能进行一个。请等它结束或停止它，然后重试。</translation>
    </message>
    <message>
        <source>The backup could not be used</source>
        <translation>无法使用备份</translation>
    </message>
    <message>
        <source>Something did not go as it should: {detail} Nothing was changed. Try again.</source>
        <translation>出了问题：{detail} 没有改动任何内容。请重试。</translation>
    </message>
    <message>
        <source>The backup folder cannot be used</source>
        <translation>无法使用备份文件夹</translation>
    </message>
    <message>
        <source>{path}: {detail} No backup can be stored there now; your chats are as they were. See whether the disk is there and may be written, or choose another folder in the settings under Data.</source>
        <translation>{path}：{detail} 现在无法把备份存放在那里；你的对话不受影响。请看看磁盘是否在、是否可写，或在“设置 → 数据”里选择其他文件夹。</translation>
    </message>
    <message>
        <source>There is no room for a backup</source>
        <translation>没有空间备份</translation>
    </message>
    <message>
        <source>The disk with {path} is too full, so no backup was made; your chats and older backups are as they were. Free some space there. If it is the disk with the backups, another folder helps, too.</source>
        <translation>{path} 所在的磁盘空间不足，因此没有备份；对话和旧备份不受影响。请在那里腾出空间。如果那是存放备份的磁盘，换一个文件夹也可以。</translation>
    </message>
    <message>
        <source>There is no room for this on the disk</source>
        <translation>磁盘空间不足，无法完成</translation>
    </message>
    <message>
        <source>The disk with {path} is too full: a backup is unpacked there before it is used, and a copy is made for a check. Your library is as it was. Free some space, then try again.</source>
        <translation>{path} 所在的磁盘空间不足：使用备份前要先在那里解开，检查时也要在那里做一份副本。你的数据保持原样。请腾出空间后再试。</translation>
    </message>
    <message>
        <source>The backup was not sound and was not kept</source>
        <translation>备份有误，未保留</translation>
    </message>
    <message>
        <source>What was read back is not what it should be: {detail} Your chats and older backups are as they were. Check the library in the settings under Data, and try another disk.</source>
        <translation>读回的内容不对：{detail} 对话和旧备份不受影响。请在设置的“数据”中检查数据，并换一个磁盘重试。</translation>
    </message>
    <message>
        <source>The backup cannot be opened</source>
        <translation>无法打开备份</translation>
    </message>
    <message>
        <source>{name}: {detail} Nothing was changed. See whether the disk or folder is there, then try again.</source>
        <translation>{name}：{detail} 没有改动任何内容。请检查磁盘或文件夹是否存在，然后重试。</translation>
    </message>
    <message>
        <source>This is no backup of Threadwell</source>
        <translation>这不是 Threadwell 的备份</translation>
    </message>
    <message>
        <source>{name} is another kind of file, so nothing was changed. Backups end with .threadwell-backup; chats of other programs come in by an import.</source>
        <translation>{name} 是其他类型的文件，因此没有改动任何内容。备份以 .threadwell-backup 结尾；其他程序的对话请用导入。</translation>
    </message>
    <message>
        <source>The backup is damaged</source>
        <translation>备份已损坏</translation>
    </message>
    <message>
        <source>{name} cannot be restored: {detail} Nothing was changed. Choose another backup.</source>
        <translation>无法恢复 {name}：{detail} 没有改动任何内容。请选择其他备份。</translation>
    </message>
    <message>
        <source>The backup was made by a newer Threadwell</source>
        <translation>备份来自更新版本的 Threadwell</translation>
    </message>
    <message>
        <source>{name} is of version {version}, which this program cannot read. Nothing was changed. Update Threadwell, then restore it.</source>
        <translation>{name} 是版本 {version}，本程序无法读取。没有改动任何内容。请更新 Threadwell 后再恢复。</translation>
    </message>
    <message>
        <source>The WebDAV address cannot be used</source>
        <translation>无法使用 WebDAV 地址</translation>
    </message>
    <message>
        <source>{url} is no address of a folder. It should look like https://cloud.example/dav/Backups, without a user, a question mark or #.</source>
        <translation>{url} 不是文件夹地址。应类似 https://cloud.example/dav/Backups，不含用户名、问号或 #。</translation>
    </message>
    <message>
        <source>The WebDAV address is not encrypted</source>
        <translation>WebDAV 地址未加密</translation>
    </message>
    <message>
        <source>With {url} anybody on the way could read your chats and your password, so nothing was sent. Use an address that begins with https://, or allow this one in the settings under Data.</source>
        <translation>使用 {url} 时，途中任何人都能读到你的对话和密码，因此没有发送。请使用以 https:// 开头的地址，或在设置的“数据”中允许此地址。</translation>
    </message>
    <message>
        <source>The WebDAV server did not accept the password</source>
        <translation>WebDAV 服务器不接受密码</translation>
    </message>
    <message>
        <source>{url} asks for another user or password. Enter them again in the settings under Data; many services want a password made for apps.</source>
        <translation>{url} 要求其他用户名或密码。请在设置的“数据”中重新输入；许多服务需要应用专用密码。</translation>
    </message>
    <message>
        <source>The WebDAV server does not allow this</source>
        <translation>WebDAV 服务器不允许此操作</translation>
    </message>
    <message>
        <source>{url} refused (status {status}). See whether this user may write there, or choose another folder of the server.</source>
        <translation>{url} 拒绝了请求（状态 {status}）。请检查该用户是否可写，或选择服务器上的其他文件夹。</translation>
    </message>
    <message>
        <source>The folder is not on the WebDAV server</source>
        <translation>WebDAV 服务器上没有该文件夹</translation>
    </message>
    <message>
        <source>{url} was not found and could not be made (status {status}). Check the address, and that the folder above it exists.</source>
        <translation>找不到 {url}，也无法创建（状态 {status}）。请检查地址以及上级文件夹是否存在。</translation>
    </message>
    <message>
        <source>The WebDAV server does not take a file of this size</source>
        <translation>WebDAV 服务器不接受这么大的文件</translation>
    </message>
    <message>
        <source>{url} refuses files as large as this backup, so none was stored. Raise the limit of the server, or choose a folder of this computer.</source>
        <translation>{url} 不接受这么大的备份，因此没有存储。请提高服务器的限制，或选择本机的文件夹。</translation>
    </message>
    <message>
        <source>The file is locked on the WebDAV server</source>
        <translation>文件在 WebDAV 服务器上被锁定</translation>
    </message>
    <message>
        <source>Somebody else uses it at {url} right now. No backup was stored; it is tried again later.</source>
        <translation>{url} 上的文件正被占用。没有存储备份，稍后会重试。</translation>
    </message>
    <message>
        <source>There is no room on the WebDAV server</source>
        <translation>WebDAV 服务器空间不足</translation>
    </message>
    <message>
        <source>{url} has no space for this backup; older ones are as they were. Free some space there, or choose another place.</source>
        <translation>{url} 没有空间存放此备份；旧备份不受影响。请腾出空间，或选择其他位置。</translation>
    </message>
    <message>
        <source>The WebDAV server leads to another address</source>
        <translation>WebDAV 服务器转向其他地址</translation>
    </message>
    <message>
        <source>{url} leads on to {place}. Nothing was sent there, because your password was not meant for it. If that is right, enter that address.</source>
        <translation>{url} 转向 {place}。没有向那里发送任何内容，因为密码不是给它的。如果无误，请输入那个地址。</translation>
    </message>
    <message>
        <source>The WebDAV server cannot prove who it is</source>
        <translation>WebDAV 服务器无法证明身份</translation>
    </message>
    <message>
        <source>The certificate of {url} is not trusted ({detail}), so nothing was sent. Check the address, or have the server get a valid certificate.</source>
        <translation>{url} 的证书不受信任（{detail}），因此没有发送。请检查地址，或让服务器使用有效证书。</translation>
    </message>
    <message>
        <source>The WebDAV server cannot be reached</source>
        <translation>无法连接 WebDAV 服务器</translation>
    </message>
    <message>
        <source>{url} does not answer: {detail} No backup was stored. Check the network and the address; it is tried again later.</source>
        <translation>{url} 没有响应：{detail} 没有存储备份。请检查网络和地址，稍后会重试。</translation>
    </message>
    <message>
        <source>The WebDAV server gave an answer that makes no sense</source>
        <translation>WebDAV 服务器的响应无法理解</translation>
    </message>
    <message>
        <source>{url} answered with status {status}. No backup was stored. See whether the address is that of a WebDAV folder, then try again.</source>
        <translation>{url} 返回状态 {status}。没有存储备份。请检查地址是否为 WebDAV 文件夹，然后重试。</translation>
    </message>
    <message>
        <source>Port {port} is in use</source>
        <translation>端口 {port} 已被占用</translation>
    </message>
    <message>
        <source>Another program listens there, so the local API is not running. Choose another port, or end that program and try again.</source>
        <translation>另一个程序正在使用它，所以本地 API 没有运行。请换一个端口，或者关闭那个程序后重试。</translation>
    </message>
    <message>
        <source>There is no token in {variable}</source>
        <translation>{variable} 中没有令牌</translation>
    </message>
    <message>
        <source>That environment variable is not set or is empty. Set it, or leave out --token-env: a token is made.</source>
        <translation>这个环境变量没有设置或是空的。请设置它，或者去掉 --token-env：会自动生成一个令牌。</translation>
    </message>
    <message>
        <source>The local API could not be started</source>
        <translation>本地 API 无法启动</translation>
    </message>
    <message>
        <source>The system says: {detail} Other programs cannot chat here now. Choose another port, or try again.</source>
        <translation>系统提示：{detail} 其他程序现在无法在这里对话。请换一个端口，或者重试。</translation>
    </message>
    <message>
        <source>An assistant used up its tokens</source>
        <translation>助手的 token 用完了</translation>
    </message>
    <message>
        <source>It may use {most} tokens for a task, so it was stopped. Give it more in the settings, or a smaller task.</source>
        <translation>它每个任务最多可用 {most} 个 token，所以被停下了。可以在设置中给它更多，或给它更小的任务。</translation>
    </message>
    <message>
        <source>The Redis server {server} cannot be reached</source>
        <translation>无法连接 Redis 服务器 {server}</translation>
    </message>
    <message>
        <source>Answers go on without what others said in the shared session, and your turns are shared once it is there again. Check the address, and whether the server runs.</source>
        <translation>回答会照常进行，只是不含其他人在共享会话中说的内容；服务器恢复后，你的对话会补充共享。请检查地址，以及服务器是否在运行。</translation>
    </message>
    <message>
        <source>The Redis server {server} refuses the user name or the password</source>
        <translation>Redis 服务器 {server} 拒绝了用户名或密码</translation>
    </message>
    <message>
        <source>Nothing is shared until it lets Threadwell in. Enter the password in the settings of shared sessions.</source>
        <translation>在它允许 Threadwell 访问之前，不会共享任何内容。请在共享会话的设置中输入密码。</translation>
    </message>
    <message>
        <source>The Redis server {server} is starting</source>
        <translation>Redis 服务器 {server} 正在启动</translation>
    </message>
    <message>
        <source>It reads its data and is not ready yet. Try again in a moment; nothing is lost.</source>
        <translation>它正在读取数据，尚未就绪。请稍后再试，不会丢失任何内容。</translation>
    </message>
    <message>
        <source>The Python package redis is missing</source>
        <translation>缺少 Python 包 redis</translation>
    </message>
    <message>
        <source>Sessions cannot be kept on a Redis server without it. Install threadwell[redis], or keep them in the data folder.</source>
        <translation>没有它就无法把会话保存在 Redis 服务器上。请安装 threadwell[redis]，或把会话保存在数据文件夹中。</translation>
    </message>
    <message>
        <source>Shared sessions do not work</source>
        <translation>共享会话无法使用</translation>
    </message>
    <message>
        <source>{detail} Answers go on without what others said, and your turns are shared later. If it stays so, restart Threadwell.</source>
        <translation>{detail} 回答会照常进行，只是不含其他人说的内容；你的对话稍后会补充共享。如果一直这样，请重启 Threadwell。</translation>
    </message>
</context>
<context>
    <name>exampleAssistants</name>
    <message>
        <source>Coordinator</source>
        <translation>协调员</translation>
    </message>
    <message>
        <source>Splits a task and has the others do the parts</source>
        <translation>拆分任务，请其他助手分别完成</translation>
    </message>
    <message>
        <source>You plan and check. Split the task into parts, give each part to the assistant that fits, with all that it needs to know, and put their answers together. Say plainly what could not be found out.</source>
        <translation>你负责规划和检查。把任务拆成几部分，连同所需的全部信息交给合适的助手，再把它们的回答汇总。查不到的要直说。</translation>
    </message>
    <message>
        <source>Researcher</source>
        <translation>研究员</translation>
    </message>
    <message>
        <source>Finds facts with tools, and names where they come from</source>
        <translation>用工具查找事实，并注明出处</translation>
    </message>
    <message>
        <source>You find out facts with the tools that you have. Name the source of each fact. Do not guess: where nothing can be found, say so. Answer in short points.</source>
        <translation>你用现有的工具查找事实，每个事实都注明出处。不要猜测：查不到就说查不到。用简短的要点回答。</translation>
    </message>
    <message>
        <source>Editor</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Makes texts clear and short</source>
        <translation>把文字改得清楚简短</translation>
    </message>
    <message>
        <source>You edit texts: clear, short, friendly, without losing facts. Return the edited text alone.</source>
        <translation>你修改文字：清楚、简短、友好，不丢失事实。只返回改好的文字。</translation>
    </message>
</context>
<context>
    <name>examplePrompts</name>
    <message>
        <source>Sum up</source>
        <translation>总结</translation>
    </message>
    <message>
        <source>Sum up the following text in {{sentences=three}} sentences. Keep numbers and names.

{{text}}</source>
        <translation>用{{几句话=三句话}}总结下面的文字，保留数字和名称。

{{文字}}</translation>
    </message>
    <message>
        <source>The main points of a text</source>
        <translation>一段文字的要点</translation>
    </message>
    <message>
        <source>Translate</source>
        <translation>翻译</translation>
    </message>
    <message>
        <source>Translate the following text into {{language=English}}. Keep its tone and its formatting.

{{text}}</source>
        <translation>把下面的文字翻译成{{语言=英文}}，保留语气和格式。

{{文字}}</translation>
    </message>
    <message>
        <source>Into another language</source>
        <translation>译成另一种语言</translation>
    </message>
    <message>
        <source>Improve my writing</source>
        <translation>润色文字</translation>
    </message>
    <message>
        <source>Improve this text. It should sound {{tone:friendly|formal|brief}} and keep its meaning. Then name your three most important changes.

{{text}}</source>
        <translation>请润色这段文字，语气要{{语气:友好|正式|简洁}}，意思不变。然后说明三处最重要的修改。

{{文字}}</translation>
    </message>
    <message>
        <source>A friendlier, more formal or briefer text</source>
        <translation>更友好、更正式或更简洁</translation>
    </message>
    <message>
        <source>Explain simply</source>
        <translation>简单解释</translation>
    </message>
    <message>
        <source>Explain {{subject}} to {{reader=somebody who is new to it}}, with one example from everyday life.</source>
        <translation>向{{读者=初学者}}解释{{主题}}，并举一个日常生活中的例子。</translation>
    </message>
    <message>
        <source>In plain words, with an example</source>
        <translation>用大白话，并举例</translation>
    </message>
    <message>
        <source>Plan my day</source>
        <translation>安排一天</translation>
    </message>
    <message>
        <source>Today is {{date}}. This is what I have to do:

{{tasks}}

Make a plan for the day with breaks. Ask me first if something is unclear.</source>
        <translation>今天是{{日期}}。我要做这些事：

{{任务}}

请为这一天做一个带休息的安排。有不清楚的地方先问我。</translation>
    </message>
    <message>
        <source>An order for what there is to do</source>
        <translation>给要做的事排个顺序</translation>
    </message>
    <message>
        <source>Patient teacher</source>
        <translation>耐心的老师</translation>
    </message>
    <message>
        <source>You are a patient teacher of {{subject}}. Ask before you explain, go step by step, and let me find the answer myself where I can.</source>
        <translation>你是一位耐心的{{学科}}老师。解释之前先提问，一步一步来，能让我自己找到答案就让我自己找。</translation>
    </message>
    <message>
        <source>For the instructions of a chat</source>
        <translation>用作对话的指示</translation>
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
        <source>Could not be fully understood: what is not listed here may still be done</source>
        <translation>无法完全理解：没有列出的事情也可能发生</translation>
    </message>
    <message>
        <source>The model wrote this call as text instead of making it: perhaps it was only an example</source>
        <translation>模型把这次调用写成了文字，而没有正式发出：可能只是举例</translation>
    </message>
    <message>
        <source>Much empty space that may hide what follows: {detail} spaces</source>
        <translation>有大量空白，可能藏着后面的内容：{detail} 个空格</translation>
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
        <source>Continues in the background: {detail}</source>
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
    <message>
        <source>Another server has a tool of the same name: {detail}</source>
        <translation>另一个服务器有同名的工具：{detail}</translation>
    </message>
    <message>
        <source>Its name looks like that of another tool: {detail}</source>
        <translation>名称与另一个工具相似：{detail}</translation>
    </message>
</context>
<context>
    <name>grants</name>
    <message>
        <source>“{program}” on files in this folder</source>
        <translation>对此文件夹中的文件使用“{program}”</translation>
    </message>
    <message>
        <source>“{program}” with {options} on files in this folder</source>
        <translation>对此文件夹中的文件使用“{program}”（{options}）</translation>
    </message>
    <message>
        <source>this tool within {value}</source>
        <translation>此工具，限于 {value} 之内</translation>
    </message>
    <message>
        <source>this tool at {value}</source>
        <translation>此工具，限于 {value}</translation>
    </message>
    <message>
        <source>this tool where {name} is “{value}”</source>
        <translation>此工具，限于 {name} 为“{value}”</translation>
    </message>
</context>
<context>
    <name>history</name>
    <message>
        <source>Allowed</source>
        <translation>已允许</translation>
    </message>
    <message>
        <source>Refused</source>
        <translation>已拒绝</translation>
    </message>
    <message>
        <source>Not decided</source>
        <translation>未决定</translation>
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
        <source>Not run</source>
        <translation>没有运行</translation>
    </message>
    <message>
        <source>Took too long</source>
        <translation>超时</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>Not finished</source>
        <translation>没有完成</translation>
    </message>
    <message>
        <source>The chat had no tools.</source>
        <translation>此对话没有工具。</translation>
    </message>
    <message>
        <source>The tool was blocked in the settings.</source>
        <translation>这个工具在设置中已关闭。</translation>
    </message>
    <message>
        <source>The chat only read, and the call could have changed something.</source>
        <translation>此对话是只读的，而这次调用可能作出更改。</translation>
    </message>
    <message>
        <source>The model wrote the call as text.</source>
        <translation>模型把调用写成了文字。</translation>
    </message>
    <message>
        <source>The model demanded a question.</source>
        <translation>模型要求先询问。</translation>
    </message>
    <message>
        <source>The chat always asked.</source>
        <translation>此对话总是询问。</translation>
    </message>
    <message>
        <source>The tool was set to ask in the settings.</source>
        <translation>这个工具在设置中设为询问。</translation>
    </message>
    <message>
        <source>The chat held somebody else&apos;s text, and the call could have carried something out.</source>
        <translation>此对话含有外来文字，而这次调用可能向外发送内容。</translation>
    </message>
    <message>
        <source>A built-in tool that changes nothing.</source>
        <translation>不作更改的内置工具。</translation>
    </message>
    <message>
        <source>A command understood as harmless, in the sandbox.</source>
        <translation>判定为无害的命令，在沙盒中运行。</translation>
    </message>
    <message>
        <source>You had given a permission for it.</source>
        <translation>你授予过权限。</translation>
    </message>
    <message>
        <source>The tool was allowed in the settings.</source>
        <translation>这个工具在设置中已允许。</translation>
    </message>
    <message>
        <source>There was no sandbox to hold the command.</source>
        <translation>没有可用于这条命令的沙盒。</translation>
    </message>
    <message>
        <source>No permission covered it.</source>
        <translation>没有包括它的权限。</translation>
    </message>
    <message>
        <source>A server may use your model only when you allow it, each time.</source>
        <translation>服务器每次使用你的模型都要经你允许。</translation>
    </message>
    <message>
        <source>by a rule</source>
        <translation>· 由规则决定</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>Use of your model</source>
        <translation>使用你的模型</translation>
    </message>
    <message>
        <source>Time:</source>
        <translation>时间：</translation>
    </message>
    <message>
        <source>Chat:</source>
        <translation>对话：</translation>
    </message>
    <message>
        <source>Tool:</source>
        <translation>工具：</translation>
    </message>
    <message>
        <source>Decision:</source>
        <translation>决定：</translation>
    </message>
    <message>
        <source>Why:</source>
        <translation>原因：</translation>
    </message>
    <message>
        <source>Outcome:</source>
        <translation>结果：</translation>
    </message>
    <message>
        <source>Exact command:</source>
        <translation>完整的命令：</translation>
    </message>
    <message>
        <source>Exact arguments:</source>
        <translation>完整的参数：</translation>
    </message>
    <message>
        <source>Beginning of the result:</source>
        <translation>结果的开头：</translation>
    </message>
    <message>
        <source>by you</source>
        <translation>· 由你决定</translation>
    </message>
    <message>
        <source>by you, and from then on</source>
        <translation>· 由你决定，今后同样</translation>
    </message>
    <message>
        <source>by a permission</source>
        <translation>· 由权限决定</translation>
    </message>
    <message>
        <source>by the options of the command line</source>
        <translation>· 由命令行选项决定</translation>
    </message>
</context>
<context>
    <name>inspector</name>
    <message>
        <source>Instructions</source>
        <translation>指令</translation>
    </message>
    <message>
        <source>Your standing wishes</source>
        <translation>你的长期要求</translation>
    </message>
    <message>
        <source>What tool servers say of themselves</source>
        <translation>工具服务器的自我说明</translation>
    </message>
    <message>
        <source>Summary of earlier messages</source>
        <translation>较早消息的摘要</translation>
    </message>
    <message>
        <source>Memories</source>
        <translation>记忆</translation>
    </message>
    <message>
        <source>From the shared session</source>
        <translation>来自共享会话</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>Left out</source>
        <translation>未发送的内容</translation>
    </message>
    <message>
        <source>Options</source>
        <translation>选项</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>token 用量</translation>
    </message>
    <message>
        <source>For programmers</source>
        <translation>供程序员查看</translation>
    </message>
    <message>
        <source>Reasoning</source>
        <translation>思考过程</translation>
    </message>
    <message>
        <source>Use of the tool %1</source>
        <translation>使用工具 %1</translation>
    </message>
    <message>
        <source>Result of the tool %1</source>
        <translation>工具 %1 的结果</translation>
    </message>
    <message>
        <source>Image %1</source>
        <translation>图片 %1</translation>
    </message>
    <message>
        <source>Fields that the provider gets back as it gave them</source>
        <translation>原样返回给服务商的字段</translation>
    </message>
    <message>
        <source>No memories: nothing is remembered yet.</source>
        <translation>没有记忆：还没有记住任何内容。</translation>
    </message>
    <message>
        <source>No memories: nothing that is remembered fits the question.</source>
        <translation>没有记忆：记住的内容都与问题无关。</translation>
    </message>
    <message>
        <source>No memories: looking them up took too long.</source>
        <translation>没有记忆：查找用时太久。</translation>
    </message>
    <message>
        <source>No memories: memory is off for this chat.</source>
        <translation>没有记忆：此对话关闭了记忆。</translation>
    </message>
    <message>
        <source>The request was too long for the model: the oldest messages, or parts of long results, were cut.</source>
        <translation>请求对模型来说太长：略去了最早的消息，或截短了较长的结果。</translation>
    </message>
    <message>
        <source>Images that did not go along: %1</source>
        <translation>没有一并发送的图片：%1</translation>
    </message>
    <message>
        <source>Long results of which the middle was cut: %1</source>
        <translation>中间部分被略去的长结果：%1</translation>
    </message>
    <message>
        <source>Tools that were not offered: %1</source>
        <translation>没有提供的工具：%1</translation>
    </message>
    <message>
        <source>For the chat&apos;s title</source>
        <translation>用于对话标题</translation>
    </message>
    <message>
        <source>For the summary</source>
        <translation>用于摘要</translation>
    </message>
    <message>
        <source>For memory</source>
        <translation>用于记忆</translation>
    </message>
    <message>
        <source>For an assistant that was asked</source>
        <translation>用于被请去帮忙的助手</translation>
    </message>
    <message>
        <source>The text is not kept any more: it is too old, or something in it was forgotten. Only its figures are left.</source>
        <translation>文字已不再保留：时间太久，或其中有内容已被忘记。现在只留有数字。</translation>
    </message>
    <message>
        <source>The single parts of this request are not kept any more: it is too old, or too many were sent after it. Only their sums are left.</source>
        <translation>这次请求的各个部分已不再保留：请求太早，或之后发送的请求太多。只留下了合计。</translation>
    </message>
    <message>
        <source>Texts of messages</source>
        <translation>消息文字</translation>
    </message>
    <message>
        <source>Uses of tools</source>
        <translation>工具调用</translation>
    </message>
    <message>
        <source>Results of tools</source>
        <translation>工具结果</translation>
    </message>
    <message>
        <source>Images</source>
        <translation>图片</translation>
    </message>
    <message>
        <source>All parts together</source>
        <translation>各部分合计</translation>
    </message>
    <message>
        <source>You</source>
        <translation>你</translation>
    </message>
    <message>
        <source>The answer</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>As the model read it:</source>
        <translation>模型读到的原文：</translation>
    </message>
    <message>
        <source>All of it, as the model read it</source>
        <translation>全部内容（模型读到的原文）</translation>
    </message>
    <message>
        <source>A memory</source>
        <translation>一条记忆</translation>
    </message>
    <message>
        <source>shared words</source>
        <translation>字词相同</translation>
    </message>
    <message>
        <source>likeness of meaning</source>
        <translation>含义相近</translation>
    </message>
    <message>
        <source>pinned</source>
        <translation>已固定</translation>
    </message>
    <message>
        <source>Score %1</source>
        <translation>得分 %1</translation>
    </message>
    <message>
        <source>a memory</source>
        <translation>一条记忆</translation>
    </message>
    <message>
        <source>a message of another chat</source>
        <translation>另一个对话中的一条消息</translation>
    </message>
    <message>
        <source>a piece of a document</source>
        <translation>文档中的一段</translation>
    </message>
    <message>
        <source>This is %1.</source>
        <translation>这是%1。</translation>
    </message>
    <message>
        <source>Score: %1 of 1</source>
        <translation>得分：%1（满分为 1）</translation>
    </message>
    <message>
        <source>Of an image, its size and a checksum are recorded, not the picture itself.</source>
        <translation>图片只记录大小和校验值，不含图片本身。</translation>
    </message>
    <message>
        <source>%Ln parts</source>
        <translation>%Ln 个部分</translation>
    </message>
    <message>
        <source>only the sum is kept</source>
        <translation>只保留合计</translation>
    </message>
    <message>
        <source>Shared words: %1 (0 where there are none)</source>
        <translation>字词匹配度：%1（没有相同字词时为 0）</translation>
    </message>
    <message>
        <source>Likeness of meaning: %1 (about 0 for unrelated texts)</source>
        <translation>含义相似度：%1（无关的文本约为 0）</translation>
    </message>
    <message>
        <source>not looked at</source>
        <translation>未比较</translation>
    </message>
    <message>
        <source>Memories that were found but had no room: %1</source>
        <translation>找到但放不下的记忆：%1</translation>
    </message>
    <message>
        <source>At most about %1 tokens of memories, %2 of documents and %3 of wishes go along with a message. These had a lower score than those that went along, or were longer than what was left of the room.</source>
        <translation>随一条消息发送的记忆最多约 %1 个 token，文档约 %2 个，长期要求约 %3 个。这些内容的得分低于已发送的内容，或者超出了剩余的空间。</translation>
    </message>
    <message>
        <source>a standing wish</source>
        <translation>长期要求</translation>
    </message>
    <message>
        <source>A memory that is not there any more</source>
        <translation>已不存在的记忆</translation>
    </message>
    <message>
        <source>no room</source>
        <translation>放不下</translation>
    </message>
    <message>
        <source>Older messages of this chat that did not go along: %Ln. The request holds the newest ones.</source>
        <translation>此对话中没有一起发送的较早消息：%Ln 条。请求中只有最新的消息。</translation>
    </message>
    <message>
        <source>left to the provider</source>
        <translation>由服务商决定</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>Top P</source>
        <translation>核采样（Top P）</translation>
    </message>
    <message>
        <source>Longest answer, in tokens</source>
        <translation>回答最长（token）</translation>
    </message>
    <message>
        <source>The model was asked to go on with an answer that had broken off.</source>
        <translation>已要求模型接着写中断的回答。</translation>
    </message>
    <message>
        <source>not reported</source>
        <translation>未报告</translation>
    </message>
    <message>
        <source>about %1, a rough guess</source>
        <translation>约 %1（粗略估计）</translation>
    </message>
    <message>
        <source>about %1</source>
        <translation>约 %1</translation>
    </message>
    <message>
        <source>Sent, by our own count</source>
        <translation>已发送（本应用统计）</translation>
    </message>
    <message>
        <source>Sent, as the provider counted</source>
        <translation>已发送（服务商统计）</translation>
    </message>
    <message>
        <source>Of these read before, from its cache</source>
        <translation>其中之前读过、取自缓存</translation>
    </message>
    <message>
        <source>Answered, as the provider counted</source>
        <translation>回答（服务商统计）</translation>
    </message>
    <message>
        <source>Of these for reasoning</source>
        <translation>其中用于思考</translation>
    </message>
    <message>
        <source>The whole request as JSON</source>
        <translation>完整请求（JSON）</translation>
    </message>
    <message>
        <source>The demo model is part of the program: nothing was sent over the network.</source>
        <translation>演示模型是程序的一部分：没有通过网络发送任何内容。</translation>
    </message>
    <message>
        <source>Exactly the body that was sent; keys and addresses are not part of it, images stand there as checksums.</source>
        <translation>与实际发送的内容完全一致；不含密钥和地址，图片以校验值代替。</translation>
    </message>
    <message>
        <source>What was sent is kept part by part for %Ln days, and up to %1 of it in all chats.</source>
        <translation>发送内容的各个部分保留 %Ln 天，所有对话合计最多 %1。</translation>
    </message>
    <message>
        <source>Of what is older only sums are kept. What is forgotten or deleted for good goes from here, too.</source>
        <translation>更早的内容只保留合计。被忘记或彻底删除的内容也会从这里消失。</translation>
    </message>
    <message>
        <source>How long this is kept</source>
        <translation>保留多久</translation>
    </message>
    <message>
        <source>Request %1 of %2</source>
        <translation>第 %1 次请求，共 %2 次</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>answered</source>
        <translation>已回答</translation>
    </message>
    <message>
        <source>asked for tools</source>
        <translation>请求使用工具</translation>
    </message>
    <message>
        <source>cut at the longest length</source>
        <translation>达到最大长度，被截断</translation>
    </message>
    <message>
        <source>stopped by the provider&apos;s filter</source>
        <translation>被服务商的内容过滤中止</translation>
    </message>
    <message>
        <source>refused</source>
        <translation>被拒绝</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>refused, and sent again in another form</source>
        <translation>被拒绝，已换一种形式重新发送</translation>
    </message>
    <message>
        <source>without an end</source>
        <translation>没有结束</translation>
    </message>
    <message>
        <source>about %Ln tokens, a rough guess</source>
        <translation>约 %Ln 个 token（粗略估计）</translation>
    </message>
    <message>
        <source>about %Ln tokens by our count</source>
        <translation>约 %Ln 个 token（本应用统计）</translation>
    </message>
    <message>
        <source>%Ln counted by the provider</source>
        <translation>服务商统计为 %Ln 个</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>only sums are kept</source>
        <translation>只保留合计</translation>
    </message>
    <message>
        <source>%Ln tokens</source>
        <translation>%Ln 个 token</translation>
    </message>
</context>
<context>
    <name>memory</name>
    <message>
        <source>About you</source>
        <translation>关于你</translation>
    </message>
    <message>
        <source>Preference</source>
        <translation>偏好</translation>
    </message>
    <message>
        <source>Fact</source>
        <translation>事实</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>计划</translation>
    </message>
    <message>
        <source>Event</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>Standing wish</source>
        <translation>长期要求</translation>
    </message>
    <message>
        <source>Who you are: name, work, family.</source>
        <translation>你是谁：姓名、工作、家庭。</translation>
    </message>
    <message>
        <source>What you like, and what you do not.</source>
        <translation>你喜欢什么，不喜欢什么。</translation>
    </message>
    <message>
        <source>Anything else that stays true.</source>
        <translation>其他长期不变的信息。</translation>
    </message>
    <message>
        <source>What you are about to do.</source>
        <translation>你打算做的事。</translation>
    </message>
    <message>
        <source>What happened, and when.</source>
        <translation>发生过什么，在什么时候。</translation>
    </message>
    <message>
        <source>What every answer should keep to. Sent with each message.</source>
        <translation>每次回答都应遵守的要求。会随每条消息发送。</translation>
    </message>
    <message>
        <source>All chats</source>
        <translation>所有对话</translation>
    </message>
    <message>
        <source>Memory: all chats</source>
        <translation>记忆：所有对话</translation>
    </message>
    <message>
        <source>Answers are told what is remembered, and what was said in any chat, where it fits the question.</source>
        <translation>回答时会参考与问题相符的记忆，以及任何对话中说过的内容。</translation>
    </message>
    <message>
        <source>Only this chat</source>
        <translation>仅此对话</translation>
    </message>
    <message>
        <source>Memory: only this chat</source>
        <translation>记忆：仅此对话</translation>
    </message>
    <message>
        <source>Answers are told only what was said in the same chat.</source>
        <translation>回答时只参考同一对话中说过的内容。</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Memory off</source>
        <translation>记忆：关闭</translation>
    </message>
    <message>
        <source>Answers are told nothing of what was said before, and nothing new is noted.</source>
        <translation>回答时不参考以前说过的任何内容，也不会记下新的内容。</translation>
    </message>
    <message>
        <source>today</source>
        <translation>今天</translation>
    </message>
    <message>
        <source>yesterday</source>
        <translation>昨天</translation>
    </message>
    <message>
        <source>not used yet</source>
        <translation>尚未使用</translation>
    </message>
    <message>
        <source>used once, %1</source>
        <translation>用过一次，%1</translation>
    </message>
    <message>
        <source>used %n times, last %1</source>
        <translation>用过 %n 次，最近一次是%1</translation>
    </message>
    <message>
        <source>Written by you</source>
        <translation>由你写下</translation>
    </message>
    <message>
        <source>From a chat that is gone</source>
        <translation>来自已不存在的对话</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>From “%1”</source>
        <translation>来自“%1”</translation>
    </message>
</context>
<context>
    <name>notices</name>
    <message>
        <source>Enter the key…</source>
        <translation>输入密钥…</translation>
    </message>
    <message>
        <source>Open the model settings</source>
        <translation>打开模型设置</translation>
    </message>
    <message>
        <source>Open the tool server settings</source>
        <translation>打开工具服务器设置</translation>
    </message>
    <message>
        <source>Open the data settings</source>
        <translation>打开数据设置</translation>
    </message>
    <message>
        <source>Open the settings of the local API</source>
        <translation>打开本地 API 设置</translation>
    </message>
    <message>
        <source>Open your assistants</source>
        <translation>打开我的助手</translation>
    </message>
    <message>
        <source>Open the settings of shared sessions</source>
        <translation>打开共享会话的设置</translation>
    </message>
    <message>
        <source>Open the settings</source>
        <translation>打开设置</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>Show the log files</source>
        <translation>显示日志文件</translation>
    </message>
    <message>
        <source>Show the data folder</source>
        <translation>显示数据文件夹</translation>
    </message>
    <message>
        <source>Show the file that was kept</source>
        <translation>显示保留的文件</translation>
    </message>
</context>
<context>
    <name>palette</name>
    <message>
        <source>Move to folder: %1</source>
        <translation>移到文件夹：%1</translation>
    </message>
    <message>
        <source>Take out of its folder</source>
        <translation>移出文件夹</translation>
    </message>
    <message>
        <source>No assistant</source>
        <translation>不用助手</translation>
    </message>
    <message>
        <source>Assistant: %1</source>
        <translation>助手：%1</translation>
    </message>
    <message>
        <source>Settings: %1</source>
        <translation>设置：%1</translation>
    </message>
    <message>
        <source>Theme: same as system</source>
        <translation>主题：跟随系统</translation>
    </message>
    <message>
        <source>Theme: light</source>
        <translation>主题：浅色</translation>
    </message>
    <message>
        <source>Theme: dark</source>
        <translation>主题：深色</translation>
    </message>
    <message>
        <source>same as system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Language: %1</source>
        <translation>语言：%1</translation>
    </message>
    <message>
        <source>Chats</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Recent chats</source>
        <translation>最近的对话</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>Archived</source>
        <translation>已归档</translation>
    </message>
    <message>
        <source>Actions</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>Used last</source>
        <translation>最近使用</translation>
    </message>
    <message>
        <source>Search all messages for “%1”</source>
        <translation>在所有消息中搜索“%1”</translation>
    </message>
</context>
<context>
    <name>permissions</name>
    <message>
        <source>Chat only</source>
        <translation>仅对话</translation>
    </message>
    <message>
        <source>The model gets no tools and can do nothing but answer.</source>
        <translation>模型得不到任何工具，只能回答。</translation>
    </message>
    <message>
        <source>Read only</source>
        <translation>只读</translation>
    </message>
    <message>
        <source>Tools may look at things; whatever could change something is refused.</source>
        <translation>工具只能查看；凡是可能作出更改的操作都会被拒绝。</translation>
    </message>
    <message>
        <source>Ask always</source>
        <translation>总是询问</translation>
    </message>
    <message>
        <source>You are asked each time, also about what you have allowed before.</source>
        <translation>每次都会询问你，包括之前允许过的操作。</translation>
    </message>
    <message>
        <source>Ask for risk</source>
        <translation>有风险时询问</translation>
    </message>
    <message>
        <source>You are asked, except about what you have allowed and harmless commands in the sandbox.</source>
        <translation>会询问你，但你允许过的操作和沙盒中的无害命令除外。</translation>
    </message>
</context>
<context>
    <name>punctuation</name>
    <message>
        <source>{label}: {text}</source>
        <translation>{label}：{text}</translation>
    </message>
    <message>
        <source>{first}. {second}</source>
        <translation>{first}。{second}</translation>
    </message>
    <message>
        <source>{text}.</source>
        <translation>{text}。</translation>
    </message>
    <message>
        <source>{first} {second}</source>
        <translation>{first}{second}</translation>
    </message>
    <message>
        <source>{text} ({remark})</source>
        <translation>{text}（{remark}）</translation>
    </message>
</context>
<context>
    <name>remarks</name>
    <message>
        <source>This model does not take tools here, so it was asked without them ({detail}).</source>
        <translation>这个模型在这里不支持工具，因此请求时没有提供工具（{detail}）。</translation>
    </message>
    <message>
        <source>This model cannot see images; they were left out ({detail}). Choose a model that can.</source>
        <translation>这个模型不支持图片，因此没有发送图片（{detail}）。请换一个支持图片的模型。</translation>
    </message>
    <message>
        <source>The provider refuses “{name}” for this model; it was asked without it.</source>
        <translation>服务商不接受这个模型的“{name}”参数，因此请求时去掉了它。</translation>
    </message>
    <message>
        <source>The provider cannot stream for this model, so the answer came in one piece.</source>
        <translation>服务商不支持这个模型的流式输出，因此回答是一次性返回的。</translation>
    </message>
    <message>
        <source>The tool “{name}” was not offered: its description cannot be put into a form that the provider takes.</source>
        <translation>没有提供工具“{name}”：它的描述无法转换成服务商接受的形式。</translation>
    </message>
    <message>
        <source>The tool “{name}” was not offered, because its server describes it wrongly: {detail}.</source>
        <translation>没有提供工具“{name}”，因为服务器对它的描述有误：{detail}。</translation>
    </message>
    <message>
        <source>Only {count} of {total} tools were offered: the provider takes no more at once.</source>
        <translation>{total} 个工具中只提供了 {count} 个：服务商一次最多接受这么多。</translation>
    </message>
    <message>
        <source>{left} of {total} tools were left out at first, so that the model has room for the chat; it can search for them.</source>
        <translation>{total} 个工具中，{left} 个起初没有提供，以便为对话留出空间；模型可以查找它们。</translation>
    </message>
    <message>
        <source>The provider failed once and was asked again ({detail}).</source>
        <translation>服务商出错一次，已重新请求（{detail}）。</translation>
    </message>
    <message>
        <source>The chat was too long for the model, so the oldest messages were left out this time.</source>
        <translation>对话对这个模型来说太长，这次略去了最早的消息。</translation>
    </message>
    <message>
        <source>The model wrote a tool call as text. It is offered below and runs only if you allow it.</source>
        <translation>模型把工具调用写成了文字。调用列在下方，只有你允许后才会运行。</translation>
    </message>
    <message>
        <source>The model called the same tool again and again and learned nothing new, so it was asked to answer without tools.</source>
        <translation>模型反复调用同一个工具而没有得到新内容，因此要求它不用工具直接回答。</translation>
    </message>
    <message>
        <source>No plan was made: nobody could be asked to approve it, so the answer was made without one.</source>
        <translation>没有制定计划：无人可以批准，因此直接给出了回答。</translation>
    </message>
    <message>
        <source>The model gave no plan that can be read, so it just answered.</source>
        <translation>模型没有给出可读的计划，因此直接回答了。</translation>
    </message>
    <message>
        <source>The model gave no other steps after the one that failed.</source>
        <translation>在失败的步骤之后，模型没有给出其他步骤。</translation>
    </message>
    <message>
        <source>A step failed again. The plan was changed {most} times, and no further change is made.</source>
        <translation>又有一步失败了。计划已更改 {most} 次，不再更改。</translation>
    </message>
    <message>
        <source>The plan has {most} steps, and no more are added.</source>
        <translation>计划已有 {most} 个步骤，不再添加。</translation>
    </message>
    <message>
        <source>A result was too long for the model: it read the beginning and the end. You can open all of it.</source>
        <translation>有一个结果对模型来说太长：它只读了开头和结尾。你可以打开完整内容。</translation>
    </message>
    <message>
        <source>The model chosen for this chat was removed from the settings, so {model} ({name}) answered.</source>
        <translation>为此对话选择的模型已从设置中移除，因此由 {model}（{name}）回答。</translation>
    </message>
    <message>
        <source>The server reads at most {limit} tokens of about {needed}: it may have dropped the beginning without saying so.</source>
        <translation>对话约有 {needed} 个 token，而服务器最多读取 {limit} 个：开头部分可能已被舍弃，且没有任何提示。</translation>
    </message>
</context>
<context>
    <name>results</name>
    <message>
        <source>stdout:</source>
        <translation>输出：</translation>
    </message>
    <message>
        <source>stderr:</source>
        <translation>错误输出：</translation>
    </message>
    <message>
        <source>(no output)</source>
        <translation>（没有输出）</translation>
    </message>
    <message>
        <source>User denied command execution.</source>
        <translation>你拒绝了运行这条命令。</translation>
    </message>
    <message>
        <source>User denied command execution. The user says: {reason}</source>
        <translation>你拒绝了运行这条命令。你的说明：{reason}</translation>
    </message>
    <message>
        <source>The user refused this tool call.</source>
        <translation>你拒绝了这次工具调用。</translation>
    </message>
    <message>
        <source>The user refused this tool call. The user says: {reason}</source>
        <translation>你拒绝了这次工具调用。你的说明：{reason}</translation>
    </message>
    <message>
        <source>The user removed this result.</source>
        <translation>用户移除了此结果。</translation>
    </message>
    <message>
        <source>Interrupted before it finished.</source>
        <translation>在完成之前被中断。</translation>
    </message>
    <message>
        <source>Interrupted: the answer ended before this tool finished.</source>
        <translation>已中断：回答在这个工具完成之前就结束了。</translation>
    </message>
    <message>
        <source>Interrupted: the program ended before this tool was started.</source>
        <translation>已中断：程序在这个工具启动之前就退出了。</translation>
    </message>
    <message>
        <source>The program ended while this tool ran; whether it took effect is not known.</source>
        <translation>程序在这个工具运行时退出了；不知道它是否已经生效。</translation>
    </message>
    <message>
        <source>Not run: the folder in which commands run was changed after this was allowed. Call it again.</source>
        <translation>没有运行：允许之后，运行命令的文件夹被更改了。请重新调用。</translation>
    </message>
    <message>
        <source>Not run: the server does not describe this tool any more as the user has accepted it. It can be called again when the user has looked at the change.</source>
        <translation>没有运行：服务器对这个工具的描述与你接受时不同。你查看变化之后才能再次调用。</translation>
    </message>
    <message>
        <source>Not run: what was about to run is not what was allowed.</source>
        <translation>没有运行：将要运行的内容与允许的不同。</translation>
    </message>
    <message>
        <source>Not run: this chat has no tools.</source>
        <translation>没有运行：此对话没有工具。</translation>
    </message>
    <message>
        <source>Not run: the user has blocked this tool.</source>
        <translation>没有运行：你已关闭这个工具。</translation>
    </message>
    <message>
        <source>Not run: in this chat nothing may be changed, only looked at.</source>
        <translation>没有运行：此对话中只能查看，不能更改。</translation>
    </message>
    <message>
        <source>The server first needs the user to finish something on a web page, which was opened. Try again then.</source>
        <translation>服务器需要你先在网页上完成一些操作，网页已打开。完成后请重试。</translation>
    </message>
    <message>
        <source>The server first needs the user to visit a web page, but the user did not agree to open it.</source>
        <translation>服务器需要你先访问一个网页，但你没有同意打开。</translation>
    </message>
    <message>
        <source>Not run: the step limit of this answer was reached.</source>
        <translation>没有运行：已达到这次回答的步数上限。</translation>
    </message>
    <message>
        <source>Not run: more than {limit} calls in one step are not accepted.</source>
        <translation>没有运行：一步中最多接受 {limit} 次调用。</translation>
    </message>
    <message>
        <source>There is no tool called &quot;{name}&quot;. No tools can be called now.</source>
        <translation>没有名为“{name}”的工具。现在没有可以调用的工具。</translation>
    </message>
    <message>
        <source>There is no tool called &quot;{name}&quot;. The tools are: {names}.</source>
        <translation>没有名为“{name}”的工具。可用的工具：{names}。</translation>
    </message>
    <message>
        <source>The tool call failed ({kind}).</source>
        <translation>工具调用失败（{kind}）。</translation>
    </message>
    <message>
        <source>Not run: this was called {count} times with the same arguments and brought the same result every time. Calling it again changes nothing. Answer with what you have, or say what is missing.</source>
        <translation>没有运行：已用相同的参数调用了 {count} 次，每次结果都相同，再次调用也不会有变化。请用已有的内容回答，或说明缺少什么。</translation>
    </message>
    <message>
        <source>Not run: it was to run in a sandbox, and that could not be made. {problem}</source>
        <translation>没有运行：应在沙盒中运行，但无法建立沙盒。{problem}</translation>
    </message>
    <message>
        <source>Not run: {problem}</source>
        <translation>没有运行：{problem}</translation>
    </message>
    <message>
        <source>Exit code: {code}</source>
        <translation>退出码：{code}</translation>
    </message>
    <message>
        <source>Ended by signal {number} ({name})</source>
        <translation>被信号 {number}（{name}）终止</translation>
    </message>
    <message>
        <source>The command timed out after {seconds} seconds and was stopped.</source>
        <translation>命令运行超过 {seconds} 秒，已被停止。</translation>
    </message>
    <message>
        <source>[Set aside, so that git starts nothing of it: {paths}.]</source>
        <translation>[已移到一旁，以免 git 启动其中的内容：{paths}。]</translation>
    </message>
    <message>
        <source>[Do not trust git there, it may start something: {paths}.]</source>
        <translation>[请勿信任那里的 git，它可能会启动其他程序：{paths}。]</translation>
    </message>
    <message>
        <source>[{count} process(es) that it had left running were ended.]</source>
        <translation>[命令遗留的 {count} 个进程已被结束。]</translation>
    </message>
    <message>
        <source>The command could not be started: {why}</source>
        <translation>命令无法启动：{why}</translation>
    </message>
    <message>
        <source>The command is empty.</source>
        <translation>命令是空的。</translation>
    </message>
    <message>
        <source>The command is longer than {limit} characters.</source>
        <translation>命令超过了 {limit} 个字符。</translation>
    </message>
    <message>
        <source>The command contains a NUL character.</source>
        <translation>命令中含有 NUL 字符。</translation>
    </message>
    <message>
        <source>timeout must be {least} to {most} seconds, not {value}.</source>
        <translation>timeout 必须在 {least} 到 {most} 秒之间，不能是 {value}。</translation>
    </message>
    <message>
        <source>Offer at most {limit} choices.</source>
        <translation>最多只能提供 {limit} 个选项。</translation>
    </message>
    <message>
        <source>{date} ({weekday}), {time}, UTC{offset}</source>
        <translation>{date}（{weekday}）{time}，时区 UTC{offset}</translation>
    </message>
    <message>
        <source>{city}: sunny, 22 °C, a light breeze. (This is an example, not the real weather.)</source>
        <translation>{city}：晴，22 °C，微风。（这是示例数据，并非真实天气。）</translation>
    </message>
    <message>
        <source>The user declined to answer.</source>
        <translation>你谢绝了回答这个问题。</translation>
    </message>
    <message>
        <source>The user cancelled the question.</source>
        <translation>你取消了这个问题。</translation>
    </message>
    <message>
        <source>The user sent an empty answer.</source>
        <translation>你的回答是空的。</translation>
    </message>
    <message>
        <source>The expression is empty.</source>
        <translation>算式是空的。</translation>
    </message>
    <message>
        <source>The expression is longer than {limit} characters.</source>
        <translation>算式超过了 {limit} 个字符。</translation>
    </message>
    <message>
        <source>The expression is nested too deeply.</source>
        <translation>算式嵌套得太深。</translation>
    </message>
    <message>
        <source>“{expression}” is not an arithmetic expression.</source>
        <translation>“{expression}”不是算式。</translation>
    </message>
    <message>
        <source>“{name}” is not known here. Known: {names}.</source>
        <translation>这里没有“{name}”。可以使用：{names}。</translation>
    </message>
    <message>
        <source>Division by zero has no value.</source>
        <translation>除以零没有结果。</translation>
    </message>
    <message>
        <source>There is no value: {why}.</source>
        <translation>没有结果：{why}。</translation>
    </message>
    <message>
        <source>Only numbers can be used.</source>
        <translation>只能使用数字。</translation>
    </message>
    <message>
        <source>Only numbers, + - * / // % ^, parentheses and a few functions can be used.</source>
        <translation>只能使用数字、+ - * / // % ^、括号和少数函数。</translation>
    </message>
    <message>
        <source>The number is too large or too small.</source>
        <translation>数字太大或太小。</translation>
    </message>
    <message>
        <source>The power is too large.</source>
        <translation>乘方的结果太大。</translation>
    </message>
    <message>
        <source>The result is too large.</source>
        <translation>结果太大。</translation>
    </message>
    <message>
        <source>The result is not a real number.</source>
        <translation>结果不是实数。</translation>
    </message>
    <message>
        <source>The result has about {digits} digits, too many to show.</source>
        <translation>结果大约有 {digits} 位，太长，无法显示。</translation>
    </message>
    <message>
        <source>A negative number has no real square root.</source>
        <translation>负数没有实数平方根。</translation>
    </message>
    <message>
        <source>A factorial needs a whole number that is not negative.</source>
        <translation>阶乘需要非负整数。</translation>
    </message>
    <message>
        <source>The factorial is too large.</source>
        <translation>阶乘太大。</translation>
    </message>
    <message>
        <source>round() needs a small whole number of digits.</source>
        <translation>round() 的位数必须是较小的整数。</translation>
    </message>
    <message>
        <source>{count} found for &quot;{query}&quot;. You can call from now on:
{tools}</source>
        <translation>“{query}”找到 {count} 个工具，现在可以调用：
{tools}</translation>
    </message>
    <message>
        <source>No tool fits &quot;{query}&quot;. There are further tools of these servers: {names}. Try other words, also in English.</source>
        <translation>没有符合“{query}”的工具。这些服务器还有其他工具：{names}。请换一些词，也可以用英文。</translation>
    </message>
    <message>
        <source>The page took longer than {seconds} seconds.</source>
        <translation>网页超过 {seconds} 秒还没有载入。</translation>
    </message>
    <message>
        <source>The web server does not answer in time.</source>
        <translation>网站没有及时回应。</translation>
    </message>
    <message>
        <source>The web server answered with status {code}.</source>
        <translation>网站返回状态 {code}。</translation>
    </message>
    <message>
        <source>The page could not be loaded: {why}</source>
        <translation>无法载入网页：{why}</translation>
    </message>
    <message>
        <source>The page redirects more than {count} times.</source>
        <translation>网页转向超过 {count} 次。</translation>
    </message>
    <message>
        <source>The address is too long.</source>
        <translation>网址太长。</translation>
    </message>
    <message>
        <source>Only addresses that begin with http:// or https:// can be read.</source>
        <translation>只能读取以 http:// 或 https:// 开头的网址。</translation>
    </message>
    <message>
        <source>An address with a user name or a password in it is not read.</source>
        <translation>不读取含有用户名或密码的网址。</translation>
    </message>
    <message>
        <source>The address has a port that does not exist.</source>
        <translation>网址中的端口不存在。</translation>
    </message>
    <message>
        <source>This is no valid web address.</source>
        <translation>这不是有效的网址。</translation>
    </message>
    <message>
        <source>This is a PDF file, which this tool does not read. The user can attach it to the chat.</source>
        <translation>这是 PDF 文件，这个工具不能读取。你可以把它作为附件添加到对话。</translation>
    </message>
    <message>
        <source>This is no page or text but {kind}, which this tool does not read.</source>
        <translation>这不是网页或文本，而是 {kind}，这个工具不能读取。</translation>
    </message>
    <message>
        <source>The page is packed in a way that was not asked for ({encoding}).</source>
        <translation>网页的压缩方式不符合要求（{encoding}）。</translation>
    </message>
    <message>
        <source>The page is packed wrongly.</source>
        <translation>网页的压缩数据有误。</translation>
    </message>
    <message>
        <source>Not read: the name {name} could not be looked up.</source>
        <translation>没有读取：找不到主机名 {name}。</translation>
    </message>
    <message>
        <source>Not read: the name {name} could not be looked up, and what only the proxy of this computer knows cannot be checked.</source>
        <translation>没有读取：找不到主机名 {name}，而只有这台电脑的代理才知道的主机无法检查。</translation>
    </message>
    <message>
        <source>Not read: {name} leads to this computer or into a private network, which this tool does not read.</source>
        <translation>没有读取：{name} 通向这台电脑或内部网络，这个工具不读取这些地方。</translation>
    </message>
    <message>
        <source>Not read: the proxy of this computer is of a kind through which addresses cannot be checked.</source>
        <translation>没有读取：这台电脑的代理类型无法检查网址。</translation>
    </message>
    <message>
        <source>Not read: the proxy of this computer refuses tunnels to checked addresses.</source>
        <translation>没有读取：这台电脑的代理拒绝连接已检查的地址。</translation>
    </message>
    <message>
        <source>Not run: “{name}” cannot be asked here any more.</source>
        <translation>未运行：这里已不能再请“{name}”帮忙。</translation>
    </message>
    <message>
        <source>Not run: one answer may ask assistants at most {count} times.</source>
        <translation>未运行：一个回答最多请助手帮忙 {count} 次。</translation>
    </message>
    <message>
        <source>“{name}” was stopped: it may work for {seconds} seconds.</source>
        <translation>“{name}”被停下了：它最多可以工作 {seconds} 秒。</translation>
    </message>
    <message>
        <source>“{name}” was stopped: it may take {count} steps.</source>
        <translation>“{name}”被停下了：它最多可以走 {count} 步。</translation>
    </message>
    <message>
        <source>“{name}” was stopped.</source>
        <translation>“{name}”被停下了。</translation>
    </message>
    <message>
        <source>“{name}” did not answer: its model refused.</source>
        <translation>“{name}”没有回答：它的模型拒绝了。</translation>
    </message>
    <message>
        <source>“{name}” ended without an answer.</source>
        <translation>“{name}”没有给出回答就结束了。</translation>
    </message>
    <message>
        <source>“{name}” could not finish. {why}</source>
        <translation>“{name}”没能完成。{why}</translation>
    </message>
    <message>
        <source>What it had said until then:</source>
        <translation>在那之前它说过：</translation>
    </message>
</context>
<context>
    <name>sandbox</name>
    <message>
        <source>This system has no sandbox.</source>
        <translation>这个系统没有沙盒。</translation>
    </message>
    <message>
        <source>There is a sandbox for commands only on Linux.</source>
        <translation>只有 Linux 上有命令的沙盒。</translation>
    </message>
    <message>
        <source>The program bubblewrap is not installed.</source>
        <translation>没有安装程序 bubblewrap。</translation>
    </message>
    <message>
        <source>{detail} could be changed by others than the system.</source>
        <translation>{detail} 可能被系统以外的人更改。</translation>
    </message>
    <message>
        <source>There is no sandbox for this kind of processor ({detail}).</source>
        <translation>没有适用于这种处理器（{detail}）的沙盒。</translation>
    </message>
    <message>
        <source>The program bash is not installed.</source>
        <translation>没有安装程序 bash。</translation>
    </message>
    <message>
        <source>The sandbox does not start: {detail}</source>
        <translation>沙盒无法启动：{detail}</translation>
    </message>
    <message>
        <source>A trial showed that the sandbox does not hold: {detail}</source>
        <translation>试验表明沙盒不可靠：{detail}</translation>
    </message>
    <message>
        <source>“{detail}” does not say which folder is meant.</source>
        <translation>“{detail}”没有说明是哪个文件夹。</translation>
    </message>
    <message>
        <source>The folder {detail} does not exist.</source>
        <translation>文件夹 {detail} 不存在。</translation>
    </message>
    <message>
        <source>The folder {detail} belongs to somebody else.</source>
        <translation>文件夹 {detail} 属于其他用户。</translation>
    </message>
    <message>
        <source>{detail} is a link that leads elsewhere.</source>
        <translation>{detail} 是通向别处的链接。</translation>
    </message>
    <message>
        <source>{detail} holds more than a command should be able to change.</source>
        <translation>{detail} 包含的内容太多，不应全部允许命令更改。</translation>
    </message>
    <message>
        <source>The data of Threadwell lies in {detail}.</source>
        <translation>Threadwell 的数据在 {detail} 中。</translation>
    </message>
    <message>
        <source>{detail} holds programs that are run without a sandbox.</source>
        <translation>{detail} 中有不在沙盒里运行的程序。</translation>
    </message>
    <message>
        <source>{detail} holds too many repositories to protect each.</source>
        <translation>{detail} 中的代码仓库太多，无法逐一保护。</translation>
    </message>
    <message>
        <source>{detail} holds too many files to look through before each command.</source>
        <translation>{detail} 中的文件太多，无法在每条命令之前逐一检查。</translation>
    </message>
    <message>
        <source>In a sandbox: it can change only this folder, sees none of your other files, and has no network</source>
        <translation>在沙盒中：只能更改这个文件夹，看不到你的其他文件，也不能联网</translation>
    </message>
    <message>
        <source>In a sandbox: it can change only this folder and sees none of your other files, but has network</source>
        <translation>在沙盒中：只能更改这个文件夹，看不到你的其他文件，但可以联网</translation>
    </message>
    <message>
        <source>Commands run in a sandbox: only the chat’s folder can be changed by them.</source>
        <translation>命令在沙盒中运行：只能更改对话的文件夹。</translation>
    </message>
    <message>
        <source>No sandbox, so every command asks first. %1</source>
        <translation>没有沙盒，因此每条命令都会先询问。%1</translation>
    </message>
</context>
<context>
    <name>servers</name>
    <message>
        <source>it is not an object.</source>
        <translation>它不是一个对象。</translation>
    </message>
    <message>
        <source>it has neither a “command” nor a “url”.</source>
        <translation>既没有“command”，也没有“url”。</translation>
    </message>
    <message>
        <source>its “command” contains a NUL character.</source>
        <translation>“command”含有 NUL 字符。</translation>
    </message>
    <message>
        <source>its “args” is not a list.</source>
        <translation>“args”不是列表。</translation>
    </message>
    <message>
        <source>the argument {detail} is not text.</source>
        <translation>参数 {detail} 不是文本。</translation>
    </message>
    <message>
        <source>“{detail}” is not text.</source>
        <translation>“{detail}”不是文本。</translation>
    </message>
    <message>
        <source>its “{detail}” is not text.</source>
        <translation>“{detail}”不是文本。</translation>
    </message>
    <message>
        <source>one of its “args” contains a NUL character.</source>
        <translation>“args”中有一项含有 NUL 字符。</translation>
    </message>
    <message>
        <source>its type “{detail}” is not known; use “stdio”, “http” or “sse”.</source>
        <translation>类型“{detail}”未知；请使用“stdio”、“http”或“sse”。</translation>
    </message>
    <message>
        <source>its protocol “{detail}” is not known; use “auto”, “legacy” or “modern”.</source>
        <translation>协议“{detail}”未知；请使用“auto”、“legacy”或“modern”。</translation>
    </message>
    <message>
        <source>its “timeout” is not a number of seconds, at most a day.</source>
        <translation>“timeout”不是秒数，或超过一天。</translation>
    </message>
    <message>
        <source>its “url” is malformed.</source>
        <translation>“url”格式有误。</translation>
    </message>
    <message>
        <source>its “url” does not start with https:// or http://.</source>
        <translation>“url”没有以 https:// 或 http:// 开头。</translation>
    </message>
    <message>
        <source>its “url” contains a user name; put credentials into “headers”.</source>
        <translation>“url”含有用户名；请把凭据放进“headers”。</translation>
    </message>
    <message>
        <source>its “url” is not encrypted; use https, or add &quot;allowInsecure&quot;: true if you trust the network.</source>
        <translation>“url”没有加密；请使用 https，如果你信任这个网络，也可以添加 &quot;allowInsecure&quot;: true。</translation>
    </message>
    <message>
        <source>its “{detail}” cannot be used; see the instructions of the server.</source>
        <translation>“{detail}”不能使用；请查看服务器的说明。</translation>
    </message>
    <message>
        <source>its “{detail}” is not an object.</source>
        <translation>“{detail}”不是一个对象。</translation>
    </message>
    <message>
        <source>“{detail}” contains a character that is not allowed there.</source>
        <translation>“{detail}”含有不允许的字符。</translation>
    </message>
    <message>
        <source>its “{detail}” is neither true nor false.</source>
        <translation>“{detail}”既不是 true 也不是 false。</translation>
    </message>
    <message>
        <source>the environment variable {detail} is not set.</source>
        <translation>环境变量 {detail} 没有设置。</translation>
    </message>
    <message>
        <source>the value “{detail}” is asked for, which only the settings can hold.</source>
        <translation>需要填写“{detail}”的值，它只能在设置中保存。</translation>
    </message>
    <message>
        <source>“{detail}” cannot be filled in here.</source>
        <translation>“{detail}”不能填在这里。</translation>
    </message>
    <message>
        <source>a server of the same name was given when Threadwell was started.</source>
        <translation>启动 Threadwell 时指定了同名的服务器。</translation>
    </message>
    <message>
        <source>there are more than {detail} servers; this one is left out.</source>
        <translation>服务器超过 {detail} 个；没有启用这一个。</translation>
    </message>
    <message>
        <source>The program “{detail}” was not found.</source>
        <translation>没有找到程序“{detail}”。</translation>
    </message>
    <message>
        <source>The folder “{detail}” does not exist.</source>
        <translation>文件夹“{detail}”不存在。</translation>
    </message>
    <message>
        <source>Nothing answers at its address.</source>
        <translation>它的地址没有回应。</translation>
    </message>
    <message>
        <source>The server answered {detail}.</source>
        <translation>服务器返回 {detail}。</translation>
    </message>
    <message>
        <source>It did not answer in time.</source>
        <translation>它没有及时回应。</translation>
    </message>
    <message>
        <source>The system does not allow “{detail}” to be started.</source>
        <translation>系统不允许启动“{detail}”。</translation>
    </message>
    <message>
        <source>The program “{detail}” was not found; see Programs in Settings, Tool servers.</source>
        <translation>没有找到程序“{detail}”；请查看“设置”的“工具服务器”中的“程序”。</translation>
    </message>
    <message>
        <source>Its secret “{detail}” was kept only until Threadwell was closed.</source>
        <translation>它的机密“{detail}”只保留到上次 Threadwell 关闭为止。</translation>
    </message>
    <message>
        <source>The system&apos;s keychain, which holds “{detail}”, is locked.</source>
        <translation>保存着“{detail}”的系统钥匙串已锁定。</translation>
    </message>
    <message>
        <source>Access to the system&apos;s keychain, which holds “{detail}”, was refused.</source>
        <translation>访问保存着“{detail}”的系统钥匙串被拒绝。</translation>
    </message>
    <message>
        <source>No keychain was found on this computer; it held “{detail}”.</source>
        <translation>这台电脑上没有找到保存着“{detail}”的钥匙串。</translation>
    </message>
    <message>
        <source>The system&apos;s keychain did not give “{detail}”.</source>
        <translation>系统钥匙串没有提供“{detail}”。</translation>
    </message>
    <message>
        <source>A secret of it contains a character that is not allowed there.</source>
        <translation>它的一个机密含有不允许的字符。</translation>
    </message>
    <message>
        <source>Its address leads to {detail}, inside this computer or its network, which was not agreed to. Nothing was sent.</source>
        <translation>它的地址指向 {detail}，位于这台电脑或其网络内部，而你没有同意过。没有发送任何内容。</translation>
    </message>
    <message>
        <source>Its address leads to {detail}, where no server is ever asked. Nothing was sent.</source>
        <translation>它的地址指向 {detail}，那里从不允许连接服务器。没有发送任何内容。</translation>
    </message>
    <message>
        <source>It speaks only the older protocol, and the newer one was chosen.</source>
        <translation>它只支持旧协议，而选择的是新协议。</translation>
    </message>
    <message>
        <source>It asks its questions in the way of the older protocol, but speaks the newer one here, so they cannot reach you. If the newer one was chosen for it, choose “Automatic”: “Edit…”, “More options”, “Protocol”.</source>
        <translation>它按旧版协议的方式提问，但这里使用的是新版协议，因此问题无法送达。如果为它选择了新版协议，请改为“自动”：“编辑…”、“更多选项”、“协议”。</translation>
    </message>
    <message>
        <source>It asked you something that was cancelled without your answer: {detail}.</source>
        <translation>它向你提出的一个问题未经你回答就被取消了：{detail}。</translation>
    </message>
    <message>
        <source>The connection was lost.</source>
        <translation>连接中断了。</translation>
    </message>
    <message>
        <source>It closed its output.</source>
        <translation>它关闭了输出。</translation>
    </message>
    <message>
        <source>It stopped (exit code {detail}).</source>
        <translation>它已停止（退出代码 {detail}）。</translation>
    </message>
    <message>
        <source>It was ended by signal {detail}.</source>
        <translation>它被信号 {detail} 终止。</translation>
    </message>
    <message>
        <source>It sent a message longer than {detail} MB and was cut off.</source>
        <translation>它发送了超过 {detail} MB 的消息，已被切断。</translation>
    </message>
    <message>
        <source>It wants to know who you are.</source>
        <translation>它想知道你是谁。</translation>
    </message>
    <message>
        <source>Signing in was refused on the page: {detail}.</source>
        <translation>登录在网页上被拒绝：{detail}。</translation>
    </message>
    <message>
        <source>Signing in was not finished within 5 minutes.</source>
        <translation>5 分钟内没有完成登录。</translation>
    </message>
    <message>
        <source>Signing in was cancelled.</source>
        <translation>登录已取消。</translation>
    </message>
    <message>
        <source>What came back from the browser does not belong to this sign-in. Try again.</source>
        <translation>浏览器返回的内容不属于这次登录。请重试。</translation>
    </message>
    <message>
        <source>The sign-in server is not the one that it says it is. Nothing was sent to it.</source>
        <translation>登录服务器的身份与它所说的不符。没有向它发送任何内容。</translation>
    </message>
    <message>
        <source>Its sign-in is for another server: {detail}. Nothing was sent there.</source>
        <translation>它的登录是用于另一个服务器的：{detail}。没有向那里发送任何内容。</translation>
    </message>
    <message>
        <source>Its sign-in server does not know Threadwell and takes no registration. Get a client ID from whoever runs the server and enter it: “Edit…”, “More options”.</source>
        <translation>它的登录服务器不认识 Threadwell，也不接受注册。请向服务器的运营者索取客户端 ID，并在“编辑…”的“更多选项”中填写。</translation>
    </message>
    <message>
        <source>Its sign-in server does not accept the client ID or secret that was entered.</source>
        <translation>它的登录服务器不接受所填的客户端 ID 或密钥。</translation>
    </message>
    <message>
        <source>It leads to an address that is never opened: {detail}</source>
        <translation>它通向一个绝不会打开的地址：{detail}</translation>
    </message>
    <message>
        <source>It leads to an address inside this computer or its network, which is refused: {detail}</source>
        <translation>它通向这台电脑或所在网络内部的地址，已被拒绝：{detail}</translation>
    </message>
    <message>
        <source>Its sign-in server does not answer: {detail}.</source>
        <translation>它的登录服务器没有回应：{detail}。</translation>
    </message>
    <message>
        <source>It offers no way to sign in. It may want a key instead: “Edit…”, “Headers”.</source>
        <translation>它不提供登录方式，可能需要密钥：请在“编辑…”的“请求头”中填写。</translation>
    </message>
    <message>
        <source>It does not accept the key that stands in its headers. Correct or remove it: “Edit…”.</source>
        <translation>它不接受请求头中的密钥。请在“编辑…”中更正或移除。</translation>
    </message>
    <message>
        <source>Its sign-in server does not protect the answer of the browser (PKCE), so nothing was sent.</source>
        <translation>它的登录服务器没有保护浏览器的返回内容（PKCE），因此没有发送任何内容。</translation>
    </message>
    <message>
        <source>Port {detail}, to which the browser should return, is used by another program.</source>
        <translation>浏览器应返回的端口 {detail} 正被其他程序使用。</translation>
    </message>
    <message>
        <source>Signing in did not work: {detail}</source>
        <translation>登录没有成功：{detail}</translation>
    </message>
    <message>
        <source>The sign-in has ended.</source>
        <translation>登录已失效。</translation>
    </message>
    <message>
        <source>It wants more rights than you gave it: {detail}</source>
        <translation>它想要的权限比你给的多：{detail}</translation>
    </message>
    <message>
        <source>You are signed in until Threadwell is closed: no keychain took the sign-in.</source>
        <translation>登录只保持到 Threadwell 关闭为止：没有钥匙串可以保存它。</translation>
    </message>
    <message>
        <source>Left out: {detail}.</source>
        <translation>未启用：{detail}。</translation>
    </message>
    <message>
        <source>It writes other things than messages to its output.</source>
        <translation>它在输出中写了消息以外的内容。</translation>
    </message>
    <message>
        <source>It asks for the rights of the administrator ({detail}).</source>
        <translation>它要求管理员权限（{detail}）。</translation>
    </message>
    <message>
        <source>It deletes files ({detail}).</source>
        <translation>它会删除文件（{detail}）。</translation>
    </message>
    <message>
        <source>It fetches something and runs it unseen ({detail}).</source>
        <translation>它会下载内容并直接运行（{detail}）。</translation>
    </message>
    <message>
        <source>It is a shell that runs whatever its text says ({detail}).</source>
        <translation>它是一个 shell，会运行文字中的任何命令（{detail}）。</translation>
    </message>
    <message>
        <source>The program is written in the line itself ({detail}).</source>
        <translation>程序代码直接写在命令里（{detail}）。</translation>
    </message>
    <message>
        <source>It names a place where keys and passwords lie ({detail}).</source>
        <translation>它提到了存放密钥和密码的位置（{detail}）。</translation>
    </message>
    <message>
        <source>It gets the whole disk or home folder ({detail}).</source>
        <translation>它会得到整个磁盘或主文件夹（{detail}）。</translation>
    </message>
    <message>
        <source>The container gets rights over this computer ({detail}).</source>
        <translation>容器会得到控制这台电脑的权限（{detail}）。</translation>
    </message>
    <message>
        <source>The environment makes it load other code ({detail}).</source>
        <translation>环境变量会让它加载其他代码（{detail}）。</translation>
    </message>
    <message>
        <source>It gets what stands in a variable of this computer ({detail}).</source>
        <translation>它会得到这台电脑上一个变量的内容（{detail}）。</translation>
    </message>
    <message>
        <source>What stands in a variable of this computer is sent there ({detail}).</source>
        <translation>这台电脑上一个变量的内容会发送到那里（{detail}）。</translation>
    </message>
    <message>
        <source>Without a version, tomorrow’s may be another program: write {detail}@VERSION.</source>
        <translation>没有写明版本，以后得到的可能是另一个程序：请写成 {detail}@版本号。</translation>
    </message>
    <message>
        <source>Which program that is depends on the folder it is started in ({detail}).</source>
        <translation>是哪个程序取决于启动时所在的文件夹（{detail}）。</translation>
    </message>
    <message>
        <source>It contains characters that cannot be seen; they are marked below.</source>
        <translation>它含有看不见的字符，已在下方标出。</translation>
    </message>
    <message>
        <source>Anyone on the way can read and change what is sent to it.</source>
        <translation>传输途中的任何人都可以读取和篡改发给它的内容。</translation>
    </message>
    <message>
        <source>The address lies in your own network ({detail}).</source>
        <translation>这个地址在你自己的网络中（{detail}）。</translation>
    </message>
</context>
<context>
    <name>settings</name>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Tool servers</source>
        <translation>工具服务器</translation>
    </message>
    <message>
        <source>Permissions</source>
        <translation>权限</translation>
    </message>
    <message>
        <source>Assistant</source>
        <translation>助手</translation>
    </message>
    <message>
        <source>Your assistants</source>
        <translation>我的助手</translation>
    </message>
    <message>
        <source>Prompts</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>记忆</translation>
    </message>
    <message>
        <source>Shared sessions</source>
        <translation>共享会话</translation>
    </message>
    <message>
        <source>Documents</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>外观</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Keyboard</source>
        <translation>键盘</translation>
    </message>
    <message>
        <source>Local API</source>
        <translation>本地 API</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>About</source>
        <translation>关于</translation>
    </message>
</context>
<context>
    <name>shortcuts</name>
    <message>
        <source>Chats</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Writing</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Reading</source>
        <translation>阅读</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>in the list</source>
        <translation>列表中</translation>
    </message>
    <message>
        <source>while writing</source>
        <translation>输入时</translation>
    </message>
    <message>
        <source>elsewhere</source>
        <translation>不在输入时</translation>
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
        <source>Next chat in the list</source>
        <translation>下一个对话</translation>
    </message>
    <message>
        <source>Previous chat in the list</source>
        <translation>上一个对话</translation>
    </message>
    <message>
        <source>Rename the chat</source>
        <translation>重命名对话</translation>
    </message>
    <message>
        <source>Chat options</source>
        <translation>对话选项</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Go to the messages</source>
        <translation>转到消息</translation>
    </message>
    <message>
        <source>Find in this chat</source>
        <translation>在此对话中查找</translation>
    </message>
    <message>
        <source>search words text</source>
        <translation>搜索 查找 文字</translation>
    </message>
    <message>
        <source>Next place that was found</source>
        <translation>下一处找到的位置</translation>
    </message>
    <message>
        <source>Previous place that was found</source>
        <translation>上一处找到的位置</translation>
    </message>
    <message>
        <source>Default text size</source>
        <translation>默认文字大小</translation>
    </message>
    <message>
        <source>Delete the chat</source>
        <translation>删除对话</translation>
    </message>
    <message>
        <source>New temporary chat</source>
        <translation>新临时对话</translation>
    </message>
    <message>
        <source>private incognito secret</source>
        <translation>隐私 私密 无痕 秘密 private incognito</translation>
    </message>
    <message>
        <source>Go to a chat</source>
        <translation>转到对话</translation>
    </message>
    <message>
        <source>switch open jump quick</source>
        <translation>切换 打开 跳转 快速</translation>
    </message>
    <message>
        <source>Next search result</source>
        <translation>下一个搜索结果</translation>
    </message>
    <message>
        <source>Previous search result</source>
        <translation>上一个搜索结果</translation>
    </message>
    <message>
        <source>Export the chat…</source>
        <translation>导出对话…</translation>
    </message>
    <message>
        <source>save file markdown pdf html json</source>
        <translation>保存 文件 markdown pdf html json</translation>
    </message>
    <message>
        <source>Export all chats…</source>
        <translation>导出全部对话…</translation>
    </message>
    <message>
        <source>Import chats…</source>
        <translation>导入对话…</translation>
    </message>
    <message>
        <source>bring in open file</source>
        <translation>载入 打开 文件</translation>
    </message>
    <message>
        <source>Pin or unpin the chat</source>
        <translation>置顶或取消置顶对话</translation>
    </message>
    <message>
        <source>favourite star top</source>
        <translation>置顶 收藏 星标 顶部</translation>
    </message>
    <message>
        <source>Move the chat to a folder</source>
        <translation>把对话移动到文件夹</translation>
    </message>
    <message>
        <source>project group</source>
        <translation>项目 分组 文件夹</translation>
    </message>
    <message>
        <source>Archive the chat, or bring it back</source>
        <translation>归档对话，或放回列表</translation>
    </message>
    <message>
        <source>put away hide</source>
        <translation>收起 隐藏 归档</translation>
    </message>
    <message>
        <source>Send the message</source>
        <translation>发送消息</translation>
    </message>
    <message>
        <source>New line</source>
        <translation>换行</translation>
    </message>
    <message>
        <source>Stop the answer</source>
        <translation>停止回答</translation>
    </message>
    <message>
        <source>Undo typing</source>
        <translation>撤销输入</translation>
    </message>
    <message>
        <source>Redo typing</source>
        <translation>重做输入</translation>
    </message>
    <message>
        <source>Change the last message, in the empty field</source>
        <translation>修改上一条消息（输入框为空时）</translation>
    </message>
    <message>
        <source>edit correct resend</source>
        <translation>编辑 更正 重发</translation>
    </message>
    <message>
        <source>Attach files…</source>
        <translation>添加文件…</translation>
    </message>
    <message>
        <source>Insert a prompt…</source>
        <translation>插入提示词…</translation>
    </message>
    <message>
        <source>template snippet library</source>
        <translation>模板 片段 库 template snippet</translation>
    </message>
    <message>
        <source>Choose the model</source>
        <translation>选择模型</translation>
    </message>
    <message>
        <source>Go to the message field</source>
        <translation>转到输入框</translation>
    </message>
    <message>
        <source>Back to the message field</source>
        <translation>返回输入框</translation>
    </message>
    <message>
        <source>Previous message</source>
        <translation>上一条消息</translation>
    </message>
    <message>
        <source>Next message</source>
        <translation>下一条消息</translation>
    </message>
    <message>
        <source>Previous version of a message or an answer</source>
        <translation>消息或回答的上一个版本</translation>
    </message>
    <message>
        <source>branch sibling</source>
        <translation>分支 版本</translation>
    </message>
    <message>
        <source>Next version of a message or an answer</source>
        <translation>消息或回答的下一个版本</translation>
    </message>
    <message>
        <source>Map of branches</source>
        <translation>分支图</translation>
    </message>
    <message>
        <source>tree versions</source>
        <translation>树 版本</translation>
    </message>
    <message>
        <source>Answer the last message again</source>
        <translation>重新回答最后一条消息</translation>
    </message>
    <message>
        <source>regenerate retry</source>
        <translation>重新生成 重试</translation>
    </message>
    <message>
        <source>Copy the last answer</source>
        <translation>复制上一个回答</translation>
    </message>
    <message>
        <source>clipboard</source>
        <translation>剪贴板 clipboard</translation>
    </message>
    <message>
        <source>Copy what is selected as Markdown</source>
        <translation>将所选内容复制为 Markdown</translation>
    </message>
    <message>
        <source>clipboard source formula table</source>
        <translation>剪贴板 源码 公式 表格</translation>
    </message>
    <message>
        <source>What was sent for the last answer</source>
        <translation>上一个回答的发送内容</translation>
    </message>
    <message>
        <source>inspector request context tokens</source>
        <translation>检查 请求 上下文 inspector request context tokens</translation>
    </message>
    <message>
        <source>Larger text</source>
        <translation>放大文字</translation>
    </message>
    <message>
        <source>zoom in font bigger</source>
        <translation>放大 缩放 字体 字号 zoom</translation>
    </message>
    <message>
        <source>Smaller text</source>
        <translation>缩小文字</translation>
    </message>
    <message>
        <source>zoom out font</source>
        <translation>缩小 缩放 字体 字号 zoom</translation>
    </message>
    <message>
        <source>Show or hide the list of chats</source>
        <translation>显示或隐藏对话列表</translation>
    </message>
    <message>
        <source>sidebar</source>
        <translation>侧边栏 边栏 sidebar</translation>
    </message>
    <message>
        <source>Go to a chat or run an action</source>
        <translation>转到对话或执行操作</translation>
    </message>
    <message>
        <source>palette commands quick everything</source>
        <translation>命令 面板 快速 全部</translation>
    </message>
    <message>
        <source>Run an action</source>
        <translation>执行操作</translation>
    </message>
    <message>
        <source>palette commands</source>
        <translation>命令 面板</translation>
    </message>
    <message>
        <source>Next part of the window</source>
        <translation>窗口的下一部分</translation>
    </message>
    <message>
        <source>Previous part of the window</source>
        <translation>窗口的上一部分</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>preferences options</source>
        <translation>偏好设置 首选项 选项 preferences</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>记忆</translation>
    </message>
    <message>
        <source>remember facts forget</source>
        <translation>记住 事实 忘记 remember facts forget</translation>
    </message>
    <message>
        <source>State of the tool servers</source>
        <translation>工具服务器状态</translation>
    </message>
    <message>
        <source>Open or close the Trash</source>
        <translation>打开或关闭回收站</translation>
    </message>
    <message>
        <source>deleted restore bin</source>
        <translation>已删除 恢复 垃圾桶</translation>
    </message>
    <message>
        <source>Light or dark</source>
        <translation>切换浅色或深色</translation>
    </message>
    <message>
        <source>theme appearance night</source>
        <translation>主题 外观 夜间</translation>
    </message>
    <message>
        <source>This list of shortcuts</source>
        <translation>此快捷键列表</translation>
    </message>
    <message>
        <source>help keyboard keys</source>
        <translation>帮助 键盘 按键 help</translation>
    </message>
    <message>
        <source>User guide</source>
        <translation>用户指南</translation>
    </message>
    <message>
        <source>help manual how to</source>
        <translation>帮助 手册 说明</translation>
    </message>
    <message>
        <source>What’s new</source>
        <translation>新功能</translation>
    </message>
    <message>
        <source>changes version update</source>
        <translation>更改 版本 更新</translation>
    </message>
    <message>
        <source>Report a problem</source>
        <translation>报告问题</translation>
    </message>
    <message>
        <source>bug diagnostics log error</source>
        <translation>错误 诊断 日志</translation>
    </message>
    <message>
        <source>Full screen on or off</source>
        <translation>进入或退出全屏</translation>
    </message>
    <message>
        <source>Close the window</source>
        <translation>关闭窗口</translation>
    </message>
    <message>
        <source>quit exit</source>
        <translation>退出 quit exit</translation>
    </message>
    <message>
        <source>Quit Threadwell</source>
        <translation>退出 Threadwell</translation>
    </message>
</context>
<context>
    <name>taint</name>
    <message>
        <source>a result of {detail}</source>
        <translation>{detail} 的结果</translation>
    </message>
    <message>
        <source>the output of a command: {detail}</source>
        <translation>命令的输出：{detail}</translation>
    </message>
    <message>
        <source>a web page: {detail}</source>
        <translation>网页：{detail}</translation>
    </message>
    <message>
        <source>the file {detail}</source>
        <translation>文件 {detail}</translation>
    </message>
    <message>
        <source>a piece of a file that you added as knowledge</source>
        <translation>你添加为资料的文件中的片段</translation>
    </message>
    <message>
        <source>what came from the session that this chat shares with others</source>
        <translation>来自此对话与他人共享的会话的内容</translation>
    </message>
    <message>
        <source>the chat that this one was branched from</source>
        <translation>这个对话所分支自的原对话</translation>
    </message>
    <message>
        <source>what was recalled from an earlier chat that holds such text</source>
        <translation>从以前的对话中回想起的内容，而那个对话含有这类文字</translation>
    </message>
</context>
<context>
    <name>usage</name>
    <message>
        <source>%1 tokens read, %2 written</source>
        <translation>输入 %1 个 token，输出 %2 个</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
</context>
</TS>
