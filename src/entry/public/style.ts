import { paletteStyle } from '../../platform/contract/palette.ts';

/** The pages' style, without the operator's colour: one small file for all pages. */
export const style = `
${paletteStyle}
:root{--ground:var(--card);--wash:var(--page);--none:#c3cad4;--code:#0f1521;--on-code:#e6ebf3}
@media (prefers-color-scheme:dark){:root{--ground:var(--page);--wash:var(--card);--none:#46515f;--code:#0a0e15}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;scroll-padding-top:1rem}
body{margin:0;background:var(--ground);color:var(--ink);font:1rem/1.6 Inter,system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;overflow-wrap:break-word}
a{color:var(--accent)}
h1,h2,h3{line-height:1.25;letter-spacing:-.015em;margin:2rem 0 .625rem}
h1{font-size:1.75rem;margin-top:0}h2{font-size:1.375rem}h3{font-size:1.125rem}
p,ul,ol,dl,table{margin:0 0 1rem}
dd{margin:0}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:.25rem}
.skip{position:absolute;inset-inline-start:-99rem}.skip:focus{position:static}
.top{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem 1.5rem;padding:1rem 1.25rem;border-bottom:1px solid var(--line)}
.brand{font-weight:700;font-size:1.125rem;color:inherit;text-decoration:none}
.brand img{display:block;height:2rem;max-width:11rem;object-fit:contain}
.top nav{display:flex;flex-wrap:wrap;gap:.25rem 1rem}
.top nav a,.doors a:not(.go){color:var(--soft);text-decoration:none;font-size:.875rem}
.top nav span{white-space:pre}.top nav a:hover,.doors a:hover{text-decoration:underline}
.top nav a[aria-current]{color:var(--ink);font-weight:600}
.search{display:flex;gap:.375rem;margin-inline-start:auto}
input,select{font:inherit;font-size:.875rem;min-width:0;padding:.375rem .75rem;border:1px solid var(--soft);border-radius:.5rem;background:var(--ground);color:inherit}
button{font:inherit;font-size:.875rem;padding:.375rem .75rem;border:1px solid var(--line);border-radius:.5rem;background:var(--wash);color:inherit;cursor:pointer}
input[type=search]{width:11rem}
.doors{display:flex;align-items:center;gap:1rem}
.go{display:inline-block;padding:.5rem 1rem;border-radius:.5rem;background:var(--brand);color:var(--on-brand);font-weight:600;font-size:.875rem;text-decoration:none}
.plain{background:none;color:var(--accent);box-shadow:inset 0 0 0 1px var(--accent)}
main{max-width:86rem;margin:auto;padding:2rem 1.25rem 3rem}
footer{display:flex;flex-wrap:wrap;justify-content:space-between;gap:.5rem 2rem;padding:1.25rem;border-top:1px solid var(--line);color:var(--soft);font-size:.875rem}
.top,footer{padding-inline:max(1.25rem,calc(50% - 41.75rem))}
footer p{margin:0}footer nav{display:flex;flex-wrap:wrap;gap:.25rem 1rem}
.soft{color:var(--soft)}.lead{font-size:1.125rem;color:var(--soft);max-width:44rem}
.text{max-width:46rem}.middle{max-width:52rem;margin:auto}
.text img{max-width:100%;height:auto}
.hero{display:grid;gap:2rem;align-items:center;padding:1.5rem 0 1rem}
.hero>*{min-width:0}.hero h1{font-size:clamp(1.75rem,5vw,2.75rem);letter-spacing:-.03em;line-height:1.1;margin-bottom:1rem}
.hero .doors{margin-top:1.5rem;flex-wrap:wrap}
.find{display:flex;gap:.5rem;max-width:32rem;margin:1.25rem 0}.find input[type=search]{flex:1;width:auto;padding:.625rem 1rem;font-size:1rem}.find .go{border:0;font-size:1rem}
.picture{position:relative;min-height:23rem;max-width:32rem;margin:auto;width:100%;font-size:.8125rem}.picture p{margin:0}
.sheet,.phone{position:absolute;background:var(--ground);border:1px solid var(--line);box-shadow:0 1.25rem 3rem #0f152122}
.sheet{inset:1.5rem 0 auto 5.5rem;padding:1rem 1.25rem 1rem 9.5rem;border-radius:.75rem}.sheet p{display:flex;justify-content:space-between;gap:.75rem;padding:.625rem 0;border-top:1px solid var(--line)}.sheet b{display:block;padding-bottom:.625rem}.sheet .ok,.sheet .none{color:var(--tone)}.sheet .none{--tone:var(--soft)}
.phone{inset:0 auto auto 0;width:13.5rem;padding:1.5rem 1rem;border:.4rem solid var(--ink);border-radius:2rem}.phone .place{display:flex;align-items:center;gap:.625rem;font-size:1.125rem;margin-bottom:1rem}.phone img{border-radius:50%;object-fit:cover;border:1px solid var(--line)}
.fact{display:flex;justify-content:space-between;padding:.375rem 0}.fact span{color:var(--soft)}.phone svg{display:block;margin:.75rem 0 1rem;fill:var(--wash)}.phone .used{fill:var(--brand)}
.button{padding:.625rem;border-radius:.5rem;background:var(--brand);color:var(--on-brand);text-align:center;font-weight:600}.second{margin-top:.625rem!important;background:var(--wash);color:var(--ink)}
.sizes{display:flex;gap:1rem clamp(1rem,5vw,3rem);padding:1.5rem 0 .5rem;border-top:1px solid var(--line)}.sizes dt{color:var(--soft);font-size:.875rem}.sizes dd{font-size:1.75rem;font-weight:650;letter-spacing:-.02em}
.places{display:flex;flex-wrap:wrap;gap:.5rem;padding:0;margin-bottom:3rem;list-style:none}.places a{display:inline-flex;gap:.375rem;padding:.375rem .75rem;border:1px solid var(--line);border-radius:2rem;color:inherit;text-decoration:none;font-size:.875rem}.places a:hover{background:var(--wash)}.places span{color:var(--soft)}
.first{display:grid;gap:1rem 4rem;align-items:start;margin-bottom:2.5rem}.first>*{min-width:0}.first h2{margin-top:0}
.figures.cards{grid-template-columns:repeat(auto-fit,minmax(min(17rem,100%),1fr))}.cards.figures h3{font-size:1.375rem}.amount{text-align:end;padding-inline-end:1.5rem}td,dd,.rows p{font-variant-numeric:tabular-nums}
.columns{columns:20rem;column-gap:3rem}.columns li{break-inside:avoid}
.cards{display:grid;gap:1rem;padding:0;list-style:none;grid-template-columns:repeat(auto-fill,minmax(min(17rem,100%),1fr))}
.cards li{padding:1rem 1.25rem;border:1px solid var(--line);border-radius:.75rem}
.cards h2,.cards h3{margin:0 0 .25rem;font-size:1rem}.cards p{margin:0;color:var(--soft);font-size:.875rem}
code,pre{font:.875em/1.55 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
:not(pre)>code{padding:.1em .3em;border-radius:.25rem;background:var(--wash);overflow-wrap:anywhere}
pre{margin:0 0 1rem;padding:1rem;border-radius:.75rem;background:var(--code);color:var(--on-code);overflow:auto;font-size:.8125rem;max-height:32rem}
pre code{font-size:1em}pre i{font-style:normal}pre .c{color:#8fa0b5}pre .s{color:#a5d6a7}pre .n{color:#f5c07a}pre .k{color:#8ab4ff}pre .v{color:#d7a8ff}
pre:focus-visible{outline-offset:-3px}
.block{margin-bottom:1rem;border-radius:.75rem;background:#1c2533;overflow:hidden}.block pre{margin:0;border-radius:0}.copy{display:block;margin-inline-start:auto;padding:.25rem 1rem;font-size:.75rem;background:none;border:0;border-radius:0;color:var(--on-code)}
.table{overflow-x:auto;margin-bottom:1rem}.plans{white-space:nowrap}main .search{margin:0 0 1rem}.table :not(pre)>code{overflow-wrap:normal}
table{border-collapse:collapse;width:100%;margin:0;font-size:.875rem}
th,td{text-align:start;vertical-align:top;padding:.5rem .75rem .5rem 0;border-bottom:1px solid var(--line)}
.glance{margin-bottom:1rem}.glance caption{text-align:start;font-weight:600;padding-bottom:.25rem}.glance th{width:9rem;font-weight:400;color:var(--soft)}
.docs{display:grid;gap:2.5rem}
.contents{font-size:.875rem;border-top:1px solid var(--line);padding-top:1.5rem}
.contents h2{font-size:.8125rem;margin:1.25rem 0 .25rem;color:var(--soft);letter-spacing:0}
.contents h2:first-child{margin-top:0}
.contents ul{list-style:none;padding:0;margin:0}
.contents a{display:block;padding:.25rem .5rem;margin-inline-start:-.5rem;border-radius:.25rem;color:inherit;text-decoration:none;overflow-wrap:anywhere}
.contents a:hover{background:var(--wash)}.contents a[aria-current]{background:var(--wash);color:var(--accent);font-weight:600}
.docs>*{min-width:0}
.two{display:grid;gap:1rem 2.5rem}.two>*{min-width:0}
.verb{display:inline-block;font:600 .75rem/1.5 ui-monospace,monospace;padding:.125rem .5rem;border:1px solid var(--line);border-radius:.25rem;margin-inline-end:.5rem;vertical-align:.2em}
.h1{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:1.375rem;overflow-wrap:anywhere}
.fields{border-top:1px solid var(--line)}
.fields>div{padding:.75rem 0;border-bottom:1px solid var(--line);font-size:.875rem}
.fields .fields{margin:.5rem 0 0;padding-inline-start:1rem;border-top:0;border-inline-start:2px solid var(--line)}
.fields p,.fields ul{margin-bottom:.375rem}
dt .name{font:600 .875rem/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere}
dt .kind,.rules{color:var(--soft);font-size:.8125rem}dt .kind{margin-inline-start:.5rem}
.samples input{position:absolute;opacity:0}
.samples label{display:inline-block;padding:.25rem .625rem;margin:0 .125rem .375rem 0;border-radius:.5rem;font-size:.875rem;color:var(--soft);cursor:pointer}
.samples input:checked+label{background:var(--wash);color:var(--accent);font-weight:600}
.samples input:focus-visible+label{outline:3px solid var(--accent)}
.samples fieldset{margin:0;padding:0;border:0;min-width:0}
.samples legend{padding:0;font-weight:600;margin-bottom:.25rem}
.sample{display:none}
.samples :nth-of-type(1):checked~.sample:nth-of-type(1),.samples :nth-of-type(2):checked~.sample:nth-of-type(2),.samples :nth-of-type(3):checked~.sample:nth-of-type(3),.samples :nth-of-type(4):checked~.sample:nth-of-type(4),.samples :nth-of-type(5):checked~.sample:nth-of-type(5){display:block}
.try{padding:1rem 1.25rem;border:1px solid var(--line);border-radius:.75rem;margin-bottom:1rem}
.try h2{margin:0 0 .25rem}.try label{display:grid;gap:.25rem;margin-bottom:.75rem;font-size:.875rem}.try label code{background:none;padding:0}
.try summary{margin-bottom:.75rem;cursor:pointer;font-size:.875rem}.try .status{margin:1rem 0 .375rem;font-size:.875rem;overflow-wrap:anywhere}
.rows{list-style:none;padding:0;border-top:1px solid var(--line)}
.rows li{padding:.625rem 0;border-bottom:1px solid var(--line)}
.rows p{margin:0;color:var(--soft);font-size:.875rem}
.state{display:flex;align-items:center;gap:.75rem;padding:1rem 1.25rem;border:1px solid var(--tone);border-radius:.75rem;font-weight:600;margin-bottom:1.5rem}
.state::before{content:"";flex:none;width:.75rem;height:.75rem;border-radius:50%;background:var(--tone)}
.ok{--tone:var(--ok)}.warn{--tone:var(--warn)}.bad{--tone:var(--bad)}.none{--tone:var(--none)}
.part{margin-bottom:2rem}
.part h2{margin:0 0 .25rem}
.part .head{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 1rem}
.days{display:block;width:100%;height:2.25rem}
.days rect{fill:var(--tone)}
.ends{display:flex;justify-content:space-between;font-size:.8125rem;color:var(--soft)}
.incident{padding:1rem 1.25rem;border:1px solid var(--line);border-inline-start:4px solid var(--tone);border-radius:.5rem;margin-bottom:1.5rem}
.incident h3{margin:0 0 .25rem}.incident ol{list-style:none;padding:0;margin:.75rem 0 0}.incident li{margin-top:.625rem}.incident p{margin:0;white-space:pre-line}
@media (min-width:40rem){.points{grid-template-columns:repeat(2,minmax(0,1fr))}}
@media (min-width:80rem){.points{grid-template-columns:repeat(4,minmax(0,1fr))}}
@media (min-width:64rem){.hero{grid-template-columns:minmax(0,1fr) minmax(0,34rem);gap:4rem;padding:3rem 0}
.first{grid-template-columns:minmax(0,22rem) minmax(0,1fr)}
.docs{grid-template-columns:14rem minmax(0,1fr)}.docs>.contents{order:-1;border:0;padding:0;position:sticky;top:1rem;align-self:start;max-height:calc(100vh - 2rem);overflow:auto}.to-contents{display:none}}
@media (min-width:80rem){.two{grid-template-columns:minmax(0,1fr) minmax(0,30rem);grid-template-areas:"about code" "more code";grid-template-rows:auto 1fr}.two>.about{grid-area:about}.two>.code{grid-area:code}.two>.more{grid-area:more}.two>.code>div{position:sticky;top:1rem}}
@media (max-width:63.99rem){.brand,.top nav a,.doors a,footer a,.contents a,.to-contents a,.samples label,.rows li>a,.places a,.cards a,.alone{display:inline-flex;align-items:center;min-height:2.75rem;min-width:2.75rem}.contents a{display:flex}button,input[type=search]{min-height:2.75rem}.copy{min-width:2.75rem}.samples label{justify-content:center}.search{flex:1 1 12rem;margin:0;order:3}.finds .search{display:none}.doors{margin-inline-start:auto}.top nav{order:2;width:100%;flex-wrap:nowrap;overflow-x:auto}.top nav a{flex:none}.sheet{padding-inline-start:9.5rem;inset-inline-start:5rem}.sheet span:nth-child(2){display:none}.hero .doors{margin-inline-start:0}input[type=search]{width:100%}}
@media (max-width:39.99rem){.plans{white-space:normal}.plans thead{position:absolute;clip-path:inset(50%)}.plans tr{display:grid;grid-template-columns:1fr 1fr auto;padding:.5rem 0;border-bottom:1px solid var(--line)}.plans td{padding:.125rem 0;border:0}.plans .over{grid-column:1/-1;color:var(--soft)}.plans td.amount::after{content:" USD"}}
@media (max-width:27rem){.top nav{column-gap:.25rem;justify-content:space-between}.top nav a{justify-content:center}.top nav span{display:none}.sheet{padding-inline-end:.625rem;font-size:.75rem}.sheet p{gap:.375rem}}
@media (prefers-color-scheme:dark){.brand img{padding:.25rem .375rem;border-radius:.5rem;background:#fff}}
@media print{.top,footer,.contents,.copy{display:none}}
`;
