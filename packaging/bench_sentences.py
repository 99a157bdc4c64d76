"""Sentences of our own for the benchmark of recall: who is how, said in Chinese or English, and asked about in either.

Everything comes from the tables below and a seed. A question never holds what it asks for, and mostly uses other words
than what was said.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

EN, ZH = 0, 1
BEGIN = datetime(2025, 1, 6, 8, tzinfo=UTC)
ITEMS = 2_000
PER_GROUP = 70

PEOPLE = [
    ("my sister", "我妹妹"), ("my brother", "我弟弟"), ("my mother", "我妈妈"), ("my father", "我爸爸"),
    ("my grandmother", "我奶奶"), ("my grandfather", "我爷爷"), ("my aunt", "我姑姑"), ("my uncle", "我舅舅"),
    ("my cousin", "我表哥"), ("my wife", "我妻子"), ("my son", "我儿子"), ("my daughter", "我女儿"),
    ("my boss", "我老板"), ("my neighbour", "我邻居"), ("my flatmate", "我室友"), ("my dentist", "我的牙医"),
    ("my landlord", "我的房东"), ("my colleague", "我同事"), ("my best friend", "我最好的朋友"), ("my classmate", "我同学"),
    ("my piano teacher", "我的钢琴老师"), ("my coach", "我的教练"), ("my accountant", "我的会计"), ("my lawyer", "我的律师"),
    ("my nephew", "我侄子"), ("my niece", "我侄女"), ("my hairdresser", "我的理发师"), ("my gardener", "我的园丁"),
    ("my godmother", "我干妈"), ("my mentor", "我的导师"),
]  # fmt: skip


@dataclass(frozen=True)
class Topic:
    """What can be said of a person, each in English and Chinese; {who} is the person, {what} the value."""

    said: tuple[tuple[str, ...], tuple[str, ...]]
    asked: tuple[tuple[str, ...], tuple[str, ...]]
    values: tuple[tuple[str, str], ...]


TOPICS = [
    Topic(
        (("{who} has a cat called {what}.", "The cat that {who} took in is named {what}."),
         ("{who}养了一只叫{what}的猫。", "{who}收养的猫名字叫{what}。")),
        (("What is the name of the pet of {who}?", "How is the kitten at the home of {who} called?"),
         ("{who}的宠物叫什么名字？", "{who}家的小猫叫什么？")),
        (("Pepper", "胡椒"), ("Snow", "雪球"), ("Tiger", "老虎"), ("Cookie", "饼干"), ("Coal", "煤球"), ("Mango", "芒果")),
    ),
    Topic(
        (("{who} cannot eat {what} because of an allergy.", "{who} is allergic to {what}."),
         ("{who}对{what}过敏。", "{who}不能吃{what}，会过敏。")),
        (("What food is dangerous for {who}?", "What must not be in a dish for {who}?"),
         ("给{who}做饭要避开什么？", "哪种食物{who}碰不得？")),
        (
            ("peanuts", "花生"), ("shrimps", "虾"), ("milk", "牛奶"), ("strawberries", "草莓"),
            ("eggs", "鸡蛋"), ("walnuts", "核桃"),
        ),
    ),
    Topic(
        (("{who} works as a {what}.", "By profession {who} is a {what}."),
         ("{who}的工作是{what}。", "{who}是一名{what}。")),
        (("What does {who} do for a living?", "What is the job of {who}?"),
         ("{who}做什么职业？", "{who}靠什么谋生？")),
        (
            ("nurse", "护士"), ("pilot", "飞行员"), ("baker", "面包师"), ("architect", "建筑师"),
            ("translator", "翻译"), ("farmer", "农民"),
        ),
    ),
    Topic(
        (("{who} was born on {what}.", "The birthday of {who} is {what}."),
         ("{who}的生日是{what}。", "{who}是{what}出生的。")),
        (("When does {who} turn a year older?", "On which day should I congratulate {who}?"),
         ("什么时候该给{who}庆生？", "{who}哪天过生日？")),
        (
            ("3 March", "3月3日"), ("17 July", "7月17日"), ("29 November", "11月29日"),
            ("8 August", "8月8日"), ("21 May", "5月21日"), ("12 January", "1月12日"),
        ),
    ),
    Topic(
        (("{who} drives a {what}.", "{who} bought a {what} last spring."),
         ("{who}开的是{what}。", "{who}去年春天买了一辆{what}。")),
        (("Which car does {who} own?", "What vehicle stands in the garage of {who}?"),
         ("{who}的车是什么牌子？", "{who}有什么样的汽车？")),
        (
            ("red Volvo", "红色沃尔沃"), ("grey Toyota", "灰色丰田"), ("blue Honda", "蓝色本田"),
            ("white Fiat", "白色菲亚特"), ("green Skoda", "绿色斯柯达"), ("black Mazda", "黑色马自达"),
        ),
    ),
    Topic(
        (("{who} plays the {what} in an orchestra.", "{who} has practised the {what} for years."),
         ("{who}在乐团里演奏{what}。", "{who}练{what}好多年了。")),
        (("Which instrument does {who} play?", "What kind of music does {who} make?"),
         ("{who}会什么乐器？", "{who}在音乐方面擅长什么？")),
        (
            ("cello", "大提琴"), ("flute", "长笛"), ("trumpet", "小号"), ("harp", "竖琴"),
            ("violin", "小提琴"), ("clarinet", "单簧管"),
        ),
    ),
    Topic(
        (("{who} goes {what} every Saturday.", "At weekends you find {who} {what}."),
         ("{who}每个星期六都去{what}。", "一到周末{who}就去{what}。")),
        (("What sport does {who} do?", "How does {who} keep fit?"),
         ("{who}喜欢什么运动？", "{who}怎么锻炼身体？")),
        (
            ("rowing", "划船"), ("climbing", "攀岩"), ("swimming", "游泳"), ("skiing", "滑雪"),
            ("cycling", "骑自行车"), ("fencing", "击剑"),
        ),
    ),
    Topic(
        (("{who} spent the last holidays in {what}.", "{who} came back from a trip to {what}."),
         ("{who}上次度假去了{what}。", "{who}刚从{what}旅行回来。")),
        (("Where did {who} travel?", "From which country did {who} bring souvenirs?"),
         ("{who}去哪里旅游了？", "{who}假期是在哪个国家过的？")),
        (
            ("Iceland", "冰岛"), ("Portugal", "葡萄牙"), ("Vietnam", "越南"), ("Morocco", "摩洛哥"),
            ("Peru", "秘鲁"), ("Norway", "挪威"),
        ),
    ),
    Topic(
        (("{who} is learning {what} in an evening class.", "{who} takes lessons in {what}."),
         ("{who}晚上在学{what}。", "{who}报了一个{what}班。")),
        (("Which foreign language is {who} studying?", "What course did {who} sign up for?"),
         ("{who}在学哪门外语？", "{who}报名上了什么课？")),
        (
            ("Spanish", "西班牙语"), ("Japanese", "日语"), ("Arabic", "阿拉伯语"), ("Swedish", "瑞典语"),
            ("Korean", "韩语"), ("Italian", "意大利语"),
        ),
    ),
    Topic(
        (("{who} takes {what} against high blood pressure.", "The doctor gave {who} {what}."),
         ("{who}在吃{what}降血压。", "医生给{who}开了{what}。")),
        (("What medicine does {who} need?", "Which tablets were prescribed for {who}?"),
         ("{who}吃什么药？", "{who}要按时服用哪种药？")),
        (("ramipril", "雷米普利"), ("amlodipine", "氨氯地平"), ("valsartan", "缬沙坦"), ("bisoprolol", "比索洛尔")),
    ),
    Topic(
        (("{who} reads {what} before going to sleep.", "A good {what} makes {who} happy."),
         ("{who}睡前爱看{what}。", "{who}最爱读{what}。")),
        (("What kind of book would be a present for {who}?", "Which literature does {who} enjoy?"),
         ("送{who}什么书比较好？", "{who}喜欢哪类书？")),
        (
            ("detective story", "侦探小说"), ("science fiction novel", "科幻小说"),
            ("volume of poems", "诗集"), ("history book", "历史书"), ("comic", "漫画"),
            ("biography", "传记"),
        ),
    ),
    Topic(
        (("{who} orders {what} wherever it is on the menu.", "Nothing tastes better to {who} than {what}."),
         ("{who}只要菜单上有就点{what}。", "{who}觉得{what}最好吃。")),
        (("What is the favourite meal of {who}?", "What should I cook to please {who}?"),
         ("{who}最喜欢的菜是什么？", "做什么菜能让{who}高兴？")),
        (
            ("mushroom risotto", "蘑菇烩饭"), ("beef noodles", "牛肉面"), ("lentil soup", "扁豆汤"),
            ("fried dumplings", "煎饺"), ("onion tart", "洋葱挞"), ("grilled trout", "烤鳟鱼"),
        ),
    ),
    Topic(
        (("{who} wears shoes in size {what}.", "Shoes for {who} have to be size {what}."),
         ("{who}穿{what}码的鞋。", "{who}的鞋码是{what}。")),
        (("How big are the feet of {who}?", "Which size of boots fits {who}?"),
         ("给{who}买靴子要多大的？", "{who}的脚多大？")),
        (("36", "36"), ("38", "38"), ("41", "41"), ("43", "43"), ("45", "45")),
    ),
    Topic(
        (("{who} wants to open a {what} next year.", "The plan of {who} for next year is a {what} of one's own."),
         ("{who}打算明年开一家{what}。", "{who}明年的计划是自己办一家{what}。")),
        (("What business is {who} going to start?", "What does {who} intend to do in the future?"),
         ("{who}以后想创办什么？", "{who}对将来有什么打算？")),
        (
            ("bookshop", "书店"), ("bakery", "面包店"), ("flower shop", "花店"),
            ("bicycle workshop", "自行车修理铺"), ("tea house", "茶馆"), ("dance school", "舞蹈学校"),
        ),
    ),
    Topic(
        (("{who} is afraid of {what}.", "{who} starts to tremble at the sight of {what}."),
         ("{who}很怕{what}。", "{who}一看到{what}就发抖。")),
        (("What frightens {who}?", "What should I keep away from {who}, who panics then?"),
         ("什么东西会吓到{who}？", "{who}最害怕什么？")),
        (("spiders", "蜘蛛"), ("dogs", "狗"), ("heights", "高处"), ("snakes", "蛇"), ("thunder", "打雷"), ("needles", "针头")),
    ),
    Topic(
        (("{who} studied {what} at university.", "{who} has a degree in {what}."),
         ("{who}大学读的是{what}。", "{who}有{what}学位。")),
        (("What was the major of {who}?", "In which subject did {who} graduate?"),
         ("{who}是什么专业毕业的？", "{who}念书时主修什么？")),
        (
            ("chemistry", "化学"), ("law", "法律"), ("geology", "地质学"), ("economics", "经济学"),
            ("philosophy", "哲学"), ("physics", "物理"),
        ),
    ),
]  # fmt: skip

HOME = Topic(
    (("{who} lives in {what}.", "The flat of {who} is in {what}."), ("{who}住在{what}。", "{who}的家在{what}。")),
    (("Where does {who} live now?", "What is the present home town of {who}?"),
     ("{who}现在住在哪里？", "{who}目前在哪个城市生活？")),
    (
        ("Lisbon", "里斯本"), ("Hamburg", "汉堡"), ("Chengdu", "成都"), ("Toronto", "多伦多"),
        ("Kyoto", "京都"), ("Seville", "塞维利亚"),
    ),
)  # fmt: skip
MOVED = (
    ("{who} moved from {old} to {what} this month.", "{who} has left {old} and lives in {what} from now on."),
    ("{who}这个月从{old}搬到了{what}。", "{who}离开了{old}，现在住{what}。"),
)
LIKES = (("{who} likes {what} very much.", "{who} loves {what}."), ("{who}很喜欢{what}。", "{who}特别爱{what}。"))
DISLIKES = (
    ("{who} does not like {what} at all.", "{who} never wants to have anything to do with {what}."),
    ("{who}一点也不喜欢{what}。", "{who}从来不碰{what}。"),
)
ASKED_DISLIKES = (
    ("What does {who} dislike?", "What does {who} not want?"), ("{who}不喜欢什么？", "{who}讨厌什么？"),
)  # fmt: skip
TASTES = [
    ("coffee", "咖啡"), ("jazz", "爵士乐"), ("football", "足球"), ("chocolate", "巧克力"), ("camping", "露营"),
    ("opera", "歌剧"), ("cheese", "奶酪"), ("chess", "国际象棋"), ("perfume", "香水"), ("horror films", "恐怖片"),
]  # fmt: skip

FOREIGN = (
    ("How do I reverse a linked list in Python?", "What is the boiling point of nitrogen?",
     "Write a short poem about autumn leaves.", "Which regex matches an IPv6 address?", "Explain how vaccines work.",
     "Convert 12 miles to kilometres.", "Who painted the ceiling of the Sistine Chapel?",
     "What is the difference between TCP and UDP?", "Summarise the plot of Hamlet.", "How do I undo the last git commit?",
     "What causes the northern lights?", "Give me three slogans for a brand of toothpaste.",
     "How many moons does Jupiter have?", "Fix the grammar of this sentence: he go to school.",
     "What does HTTP status 418 mean?", "How is steel made?", "Explain the offside rule.",
     "What is a monad?", "Which planets have rings?", "How long should I boil an egg?",
     "Draft a letter of resignation.", "What is the capital of Mongolia?", "Why is the sky blue?",
     "How does a heat pump work?", "Sort these numbers: 4, 9, 1.", "What is quantum entanglement?",
     "How do I center a div with CSS?", "Name five synonyms of quick.", "What was the Bronze Age?",
     "How do I calculate compound interest?"),
    ("怎么用Python反转链表？", "氮气的沸点是多少？", "写一首关于秋叶的短诗。", "疫苗是怎样起作用的？",
     "把12英里换算成公里。", "西斯廷教堂的天顶画是谁画的？", "TCP和UDP有什么区别？", "概括一下《哈姆雷特》的情节。",
     "怎么撤销上一次git提交？", "极光是怎么形成的？", "给一个牙膏品牌想三句广告语。", "木星有多少颗卫星？",
     "HTTP状态码418是什么意思？", "钢是怎么炼成的？", "解释一下越位规则。", "什么是单子？", "哪些行星有光环？",
     "鸡蛋要煮多久？", "帮我起草一封辞职信。", "蒙古的首都是哪里？", "天空为什么是蓝色的？", "热泵的原理是什么？",
     "把这些数字排序：4、9、1。", "什么是量子纠缠？", "怎么用CSS让元素居中？", "列出五个表示快的近义词。",
     "青铜时代是什么时候？", "复利怎么计算？", "怎么证明勾股定理？", "光合作用的过程是怎样的？"),
)  # fmt: skip
"""Nothing that was said belongs to them."""

REPLIES = (
    ("That is good to know, thank you.", "I see. Is there anything that I can do about it?",
     "How nice! Shall I write that down for you?", "Understood. What would you like to do next?"),
    ("好的，我知道了。", "明白了，还有什么我可以帮忙的吗？", "真不错！要我帮你记下来吗？", "收到，接下来想做什么？"),
)  # fmt: skip
CHATTER = (
    (
        "The {a} needs {b} before {c}.",
        "Can you look over the {a} about {b} until {c}?",
        "I spent {c} with the {a} and {b}.",
    ),
    ("{c}之前要把{a}和{b}弄好。", "{c}前能看一下关于{b}的{a}吗？", "{c}我都在忙{a}和{b}。"),
)
THINGS = [
    ("report", "报告"), ("kitchen", "厨房"), ("invoice", "发票"), ("garden", "花园"), ("presentation", "演示文稿"),
    ("bathroom", "浴室"), ("contract", "合同"), ("printer", "打印机"), ("website", "网站"), ("balcony", "阳台"),
    ("spreadsheet", "表格"), ("roof", "屋顶"), ("newsletter", "通讯"), ("heating", "暖气"), ("database", "数据库"),
]  # fmt: skip
EXTRAS = [
    ("new tiles", "新瓷砖"), ("some numbers", "几个数字"), ("a signature", "签名"), ("fresh paint", "新油漆"),
    ("two more pages", "两页内容"), ("a second look", "再看一遍"), ("better pictures", "更好的图片"), ("a repair", "修理"),
    ("an index", "目录"), ("a backup", "备份"), ("a test", "测试"), ("new cables", "新电线"),
]  # fmt: skip
TIMES = [
    ("Monday", "星期一"), ("Tuesday", "星期二"), ("the end of the week", "周末"), ("noon", "中午"), ("tomorrow", "明天"),
    ("the meeting", "开会"), ("the evening", "晚上"), ("Easter", "复活节"), ("the summer", "夏天"), ("lunch", "午饭"),
]  # fmt: skip


def chatter(random: Random) -> str:
    """Return a sentence of everyday that nobody asks about."""
    language = random.randrange(2)
    pieces = {name: random.choice(of)[language] for name, of in (("a", THINGS), ("b", EXTRAS), ("c", TIMES))}
    return random.choice(CHATTER[language]).format(**pieces)


@dataclass
class MadeSet:
    items: list[dict[str, Any]] = field(default_factory=list)
    queries: dict[str, list[dict[str, Any]]] = field(default_factory=dict)


def made_set(seed: int) -> MadeSet:
    """Return some 2,000 items, a third of them facts, and the questions by group."""
    random = Random(seed)
    rounds = [_told(random), *_tastes(random), *_moves(random)]
    said = [one for group in rounds for one in group]
    groups: dict[str, list[tuple[str, _Said]]] = {}
    for one in said:
        for group, question in one.questions:
            groups.setdefault(group, []).append((question, one))
    made = _laid_out(random, said)
    for group, pairs in sorted(groups.items()):
        chosen = random.sample(pairs, min(PER_GROUP, len(pairs)))
        made.queries[group] = [{"text": question, "relevant": [one.id]} for question, one in chosen]
    made.queries["foreign"] = [{"text": text, "relevant": []} for texts in FOREIGN for text in texts]
    return made


@dataclass
class _Said:
    id: str
    text: str
    language: int
    questions: list[tuple[str, str]]


def _told(random: Random) -> list[_Said]:
    """Each person with each topic, in one language and asked about in both."""
    told: list[_Said] = []
    for number, topic in enumerate(TOPICS):
        for place, who in enumerate(PEOPLE):
            language = random.randrange(2)
            questions = [
                (_group(language, asked), random.choice(topic.asked[asked]).format(who=who[asked]))
                for asked in (EN, ZH)
            ]
            text = _sentence(random, topic.said, language, who, what=random.choice(topic.values))
            told.append(_Said(f"t{number}-{place}", text, language, questions))
    random.shuffle(told)
    return told


def _tastes(random: Random) -> Iterator[list[_Said]]:
    """What people like beside what they do not: only the latter is asked for."""
    pairs: list[_Said] = []
    for place, who in enumerate(PEOPLE):
        liked, disliked = random.sample(TASTES, 2)
        language = place % 2
        pairs.append(_Said(f"l{place}", _sentence(random, LIKES, language, who, what=liked), language, []))
        questions = [("negation", text.format(who=who[language])) for text in ASKED_DISLIKES[language]]
        text = _sentence(random, DISLIKES, language, who, what=disliked)
        pairs.append(_Said(f"d{place}", text, language, questions))
    random.shuffle(pairs)
    yield pairs


def _moves(random: Random) -> Iterator[list[_Said]]:
    """Where people lived, and later where they moved: only the latter is right."""
    before: list[_Said] = []
    after: list[_Said] = []
    for place, who in enumerate(PEOPLE):
        old, new = random.sample(HOME.values, 2)
        language = place % 2
        before.append(_Said(f"h{place}", _sentence(random, HOME.said, language, who, what=old), language, []))
        questions = [("update", text.format(who=who[language])) for text in HOME.asked[language]]
        text = _sentence(random, MOVED, language, who, what=new, old=old)
        after.append(_Said(f"m{place}", text, language, questions))
    yield before
    yield after


def _group(said: int, asked: int) -> str:
    if said == asked:
        return ("en", "zh")[said]
    return "zh asked in en" if said == ZH else "en asked in zh"


def _sentence(
    random: Random,
    templates: tuple[tuple[str, ...], ...],
    language: int,
    who: tuple[str, str],
    **values: tuple[str, str],
) -> str:
    filled = {name: value[language] for name, value in values.items()}
    text = random.choice(templates[language]).format(who=who[language], **filled)
    return text[0].upper() + text[1:]


def _laid_out(random: Random, said: list[_Said]) -> MadeSet:
    """Return what was said as facts, and as messages in threads, with replies and chatter between them."""
    made = MadeSet()
    moment, thread, left = BEGIN, 0, 0
    # A third become facts, and every other message gets a reply.
    for number in range(round(ITEMS * 3 / 4) - len(said)):
        said.insert(random.randrange(len(said)), _Said(f"c{number}", chatter(random), random.randrange(2), []))
    for one in said:
        moment += timedelta(minutes=random.randrange(5, 400))
        if random.random() < 1 / 3:
            made.items.append({"id": one.id, "text": one.text, "at": moment.isoformat(), "kind": "fact"})
            continue
        if left == 0:
            thread, left = thread + 1, random.randrange(4, 20)
        left -= 1
        here = {"thread": f"thread {thread}", "kind": "message"}
        made.items.append({"id": one.id, "text": one.text, "speaker": "user", "at": moment.isoformat(), **here})
        if random.random() < 1 / 2:
            reply = random.choice(REPLIES[one.language])
            at = (moment + timedelta(seconds=20)).isoformat()
            made.items.append({"id": f"r{one.id}", "text": reply, "speaker": "assistant", "at": at, **here})
    return made
