//! The verbs of questions, and forms of verbs that no rule gives.

/// Forms of verbs that no rule gives.
pub(super) const IRREGULAR_VERBS: &[(&str, &str)] = &[
    ("ate", "eat"),
    ("eaten", "eat"),
    ("drank", "drink"),
    ("drunk", "drink"),
    ("worn", "wear"),
    ("wore", "wear"),
    ("flew", "fly"),
    ("flown", "fly"),
    ("flies", "fly"),
    ("swam", "swim"),
    ("swum", "swim"),
    ("held", "hold"),
    ("lit", "light"),
    ("made", "make"),
    ("found", "find"),
    ("seen", "see"),
    ("saw", "see"),
    ("kept", "keep"),
    ("sold", "sell"),
    ("bought", "buy"),
    ("grown", "grow"),
    ("grew", "grow"),
    ("thrown", "throw"),
    ("threw", "throw"),
    ("driven", "drive"),
    ("drove", "drive"),
    ("ridden", "ride"),
    ("rode", "ride"),
    ("written", "write"),
    ("wrote", "write"),
    ("drawn", "draw"),
    ("drew", "draw"),
    ("broken", "break"),
    ("broke", "break"),
    ("bent", "bend"),
    ("built", "build"),
    ("burnt", "burn"),
    ("caught", "catch"),
    ("cut", "cut"),
    ("dug", "dig"),
    ("fed", "feed"),
    ("felt", "feel"),
    ("fought", "fight"),
    ("froze", "freeze"),
    ("frozen", "freeze"),
    ("given", "give"),
    ("gave", "give"),
    ("gone", "go"),
    ("went", "go"),
    ("goes", "go"),
    ("hung", "hang"),
    ("heard", "hear"),
    ("hid", "hide"),
    ("hidden", "hide"),
    ("hit", "hit"),
    ("hurt", "hurt"),
    ("known", "know"),
    ("knew", "know"),
    ("laid", "lay"),
    ("lent", "lend"),
    ("lost", "lose"),
    ("meant", "mean"),
    ("met", "meet"),
    ("paid", "pay"),
    ("put", "put"),
    ("read", "read"),
    ("ran", "run"),
    ("run", "run"),
    ("sat", "sit"),
    ("sent", "send"),
    ("sewn", "sew"),
    ("shaken", "shake"),
    ("shot", "shoot"),
    ("shut", "shut"),
    ("sung", "sing"),
    ("sang", "sing"),
    ("slept", "sleep"),
    ("spun", "spin"),
    ("split", "split"),
    ("stood", "stand"),
    ("stuck", "stick"),
    ("stung", "sting"),
    ("swept", "sweep"),
    ("taken", "take"),
    ("took", "take"),
    ("taught", "teach"),
    ("told", "tell"),
    ("torn", "tear"),
    ("woven", "weave"),
    ("wound", "wind"),
    ("dies", "die"),
    ("died", "die"),
    ("dying", "die"),
    ("lying", "lie"),
    ("lies", "lie"),
    ("tied", "tie"),
    ("does", "do"),
    ("done", "do"),
    ("has", "have"),
    ("had", "have"),
    ("having", "have"),
    ("got", "get"),
    ("gotten", "get"),
    ("came", "come"),
    ("blown", "blow"),
    ("bitten", "bite"),
    ("bred", "breed"),
    ("born", "bear"),
    ("beaten", "beat"),
    ("dealt", "deal"),
    ("spread", "spread"),
    ("set", "set"),
    ("shone", "shine"),
    ("sunk", "sink"),
    ("sank", "sink"),
    ("used", "use"),
    ("baked", "bake"),
    ("tasted", "taste"),
];

/// Verbs of questions, by which regular forms are led back to their base.
pub(super) const VERBS: &str = "\
act add afford aim answer appear apply arrange assemble attach attack attract bake bark bath bathe beat become \
begin belong bend bite bleed blend blink bloom blossom blow boil bounce branch break breathe breed bring \
brush build bulge burn bury button buy call can care carry carve catch cause celebrate change charge \
chase chew chop circle classify clean climb close coil collect colour comb come communicate compose connect consist \
construct consume contain control cook cool cost count cover crack crash craw crawl create crop cross \
crush cry cultivate curl curve cut damage dance dangle decay decompose decorate depend describe design destroy \
develop dig dip discover display dissolve dive drag draw dress drill drink drip drive drop dry dry dust eat \
electrify emit employ encounter enjoy enter enclose erase evolve exercise exist expand explode extend fall fasten \
fear feature feed feel fight fill filter find fish fit fix flap float flow flower fly fold force forge fork \
freeze frighten fry furnish get give glide glow go grab graze grill grind grip grow guide hang harm \
harvest hatch have hear heal heat help hibernate hide hinge hit hold hop hug hunt hurt illuminate include inflate \
inhabit insert invent jump keep kick kill knit knock know label land last laugh lay lead lean leap learn leave \
lend lie lift light like line listen live load locate lock look lose love lower lubricate make manufacture \
mark match mean measure melt mend mine mix mount move need nest notice occur offer open operate order own pack \
paint park pass pay peck peel pick pierce pinch place plant play plough plug point poison polish \
pollute possess pour power practise pray prepare press prevent prick print process produce protect pull pump \
purchase push put raise reach read record recycle reflect refrigerate regard relax release remove repair \
replace reproduce require resemble rest ride ring roast rock roll rot rotate row rub run rust sail save saw \
say scare scoop score scrape scratch screw seal see seem seat sell send serve set sew shake shape share \
sharpen shave shed shelter shine shoot shop show shut sing sink sip sit situate skate skin slap sleep slice \
slide slither smell smoke sneeze snap soak sound spell spend spin spit split sport spot spray spread \
squash squeeze stab stain stand start starve stay steer step stick sting stink stir stitch stop store \
stretch strike stripe stroke study suck suckle supply support surf swallow sweep swell swim swing switch take \
talk taper taste teach tear tell tend throw tick tickle tie tighten touch tow trade train transform transmit \
transport trap travel treat trim turn twist type unlock use vibrate visit wag wait wake walk wander warm \
warn wash watch water wear weave weigh weld wet whip whistle wind wipe wobble work worship wrap \
write yell zip";
