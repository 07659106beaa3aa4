import { createHash } from 'node:crypto';
import { Html } from '../../platform/contract/html.ts';
import { paletteStyle } from '../../platform/contract/palette.ts';

/** What all pages of a traveller share. Logical directions only, so that it turns around for right-to-left languages by itself; no pictures. */
const common = `
${paletteStyle}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--page);color:var(--ink);font:1rem/1.55 Inter,system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;overflow-wrap:break-word}
a{color:var(--accent)}
h1,h2,h3,p,ol,ul,dl,dd,fieldset{margin:0;padding:0;border:0}
h2{font-size:1.125rem;line-height:1.3;letter-spacing:-.01em}
h3{font-size:1rem}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:.5rem}
.wrap{max-width:66rem;margin:auto;padding:0 1rem 2rem}
header{display:flex;align-items:center;justify-content:space-between;gap:1rem;min-height:4.25rem;padding-block:.75rem}
.brand{display:flex;align-items:center;gap:.625rem;font-weight:650;font-size:1.125rem;min-width:0}.brand,.go,.pass .to,.models{overflow-wrap:anywhere}
.brand img{display:block;flex:none;height:2.25rem;max-width:11rem;object-fit:contain}
.lang{position:relative;margin-inline-start:auto;font-size:.875rem}
.lang summary{display:flex;align-items:center;gap:.375rem;padding:.5rem .75rem;border-radius:2rem;color:var(--soft);white-space:nowrap}
.lang ul{position:absolute;inset-inline-end:0;z-index:2;list-style:none;padding:.375rem;width:11rem;background:var(--card);border:1px solid var(--line);border-radius:1rem;box-shadow:0 12px 32px #0003}
.lang a{display:block;padding:.5rem .75rem;border-radius:.5rem;color:inherit;text-decoration:none}
.lang a[aria-current]{background:var(--page);font-weight:650}
summary{cursor:pointer;list-style:none}
summary::-webkit-details-marker{display:none}
svg.i{width:1.15em;height:1.15em;flex:none;fill:none;stroke:currentColor;stroke-width:1.8;stroke-linecap:round;stroke-linejoin:round}
.card,.pass{border-radius:1.25rem}
.card{background:var(--card);border:1px solid var(--line);padding:1.25rem}
.notice{padding:.75rem 1rem;margin-bottom:1rem;border-radius:1rem;background:var(--card);border:1px solid var(--warn);color:var(--warn);font-weight:600;font-size:.875rem}
dt,.soft{color:var(--soft);font-size:.875rem}
.go{display:flex;align-items:center;justify-content:center;gap:.625rem;padding:1rem 1.25rem;border-radius:1rem;background:var(--brand);color:var(--on-brand);font-weight:700;font-size:1rem;text-align:center;text-decoration:none;box-shadow:inset 0 0 0 1px #8884}
.plain{background:none;color:var(--accent);box-shadow:inset 0 0 0 1.5px var(--accent);font-size:1rem;padding:.75rem 1.25rem}
ol{list-style:none;counter-reset:n;margin-top:1rem;display:grid;gap:.75rem}
ol li{counter-increment:n;display:flex;gap:.75rem}
ol li::before{content:counter(n);flex:none;width:1.6rem;height:1.6rem;border-radius:50%;background:var(--page);box-shadow:inset 0 0 0 1px var(--line);color:var(--accent);font-weight:700;font-size:.875rem;line-height:1.6rem;text-align:center}
.codes{display:grid;gap:1rem;margin-top:1rem}
.codes dd{display:flex;align-items:center;gap:.5rem;margin-top:.25rem}
code{flex:1;min-width:0;padding:.5rem .75rem;border-radius:.75rem;background:var(--page);border:1px solid var(--line);font:.875rem/1.4 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere;-webkit-user-select:all;user-select:all}
@media (prefers-color-scheme:dark){.brand img{padding:.25rem .5rem;border-radius:.5rem;background:#fff}}
.find label{display:block;margin-top:1rem;font-weight:600}
.find input{display:block;width:100%;margin-top:.375rem;padding:.75rem;border-radius:.75rem;border:1px solid var(--soft);background:var(--page);color:inherit;font:inherit;font-weight:400}
.find .go{display:flex;width:100%;margin-top:1rem;border:0;font:inherit;font-weight:700;cursor:pointer}
`;

/** The page of the eSIM. */
export const style = `${common}.grid,.grid>div{display:grid;gap:1rem;align-content:start}
.pass{position:relative;overflow:hidden;background:var(--brand);color:var(--on-brand)}
.pass .to{display:flex;align-items:center;gap:1rem;padding:1.5rem 1.5rem 1.5rem}
.pass .to img{border-radius:.5rem;width:3.75rem;height:2.8125rem;object-fit:cover;box-shadow:0 0 0 2px #fff}
.pass .to div{min-width:0}
.pass h1{font-size:1.75rem;line-height:1.15;letter-spacing:-.02em}
.pass p{font-size:.875rem;line-height:1.4;margin-top:.25rem}
.pass dl{position:relative;display:flex;padding:1rem 1.5rem 1.25rem}
.pass dl::before{content:"";position:absolute;inset:0 1.25rem auto;border-top:2px dashed;opacity:.4}
.pass dl div{flex:1}
.pass dt{font-size:.8125rem}
.pass dd{font-size:1.375rem;font-weight:700;letter-spacing:-.01em;line-height:1.25;font-variant-numeric:tabular-nums}
.pass dl::after{content:"";position:absolute;inset:-.625rem 0 auto;height:1.2rem;background:radial-gradient(circle at 0,var(--page) .6rem,#0000 .63rem),radial-gradient(circle at 100%,var(--page) .6rem,#0000 .63rem)}
.head{display:flex;align-items:center;justify-content:space-between;gap:.75rem;flex-wrap:wrap}
.state{display:inline-flex;align-items:center;gap:.5rem;font-size:.875rem;font-weight:650;color:var(--tone)}
.state::before{content:"";width:.55rem;height:.55rem;border-radius:50%;background:currentColor}
.ok{--tone:var(--ok)}.warning{--tone:var(--warn)}.danger{--tone:var(--bad)}
.big{margin-top:.75rem;font-size:1.375rem;font-weight:700;letter-spacing:-.015em;line-height:1.3;font-variant-numeric:tabular-nums}
.bar{display:block;width:100%;height:.75rem;margin:.75rem 0 .25rem;border-radius:.25rem;overflow:hidden;background:var(--page);box-shadow:inset 0 0 0 1px var(--line)}
.bar rect{fill:var(--tone)}
[dir=rtl] .bar{transform:scaleX(-1)}
.facts{display:flex;flex-wrap:wrap;gap:.75rem 2rem;margin-top:.75rem}
.pass dt{color:inherit}
.facts dd{font-weight:600;font-variant-numeric:tabular-nums}
.note{margin-top:.375rem;color:var(--soft);font-size:.875rem}
.stale,.old .note{display:none}
.old .stale{display:block;margin-top:.625rem;color:var(--warn);font-weight:600;font-size:.875rem}
#refill{margin-top:1rem}
main:has(#refill) #later{display:none}
.phones{display:flex;flex-wrap:wrap;margin-top:1rem}
.phones legend{padding:0;font-size:.875rem;color:var(--soft);margin-bottom:.375rem}
.phones input{position:absolute;opacity:0}
.phones label{flex:1;padding:.5rem;text-align:center;font-weight:600;color:var(--soft);cursor:pointer;background:var(--page);border:solid var(--line);border-width:1px 0;position:relative}
.phones label::before{content:"";position:absolute;inset:.25rem;border-radius:.75rem}
.phones label:first-of-type{border-inline-start-width:1px;border-start-start-radius:.75rem;border-end-start-radius:.75rem}
.phones label:last-of-type{border-inline-end-width:1px;border-start-end-radius:.75rem;border-end-end-radius:.75rem}
.phones label span{position:relative}
.phones input:checked+label{color:var(--accent)}
.phones input:checked+label::before{background:var(--card);box-shadow:0 1px 3px #0003,inset 0 0 0 1.5px var(--accent)}
.phones input:focus-visible+label{outline:3px solid var(--accent);outline-offset:2px}
.phones div{display:none;width:100%;padding-top:1rem}
#iphone:checked~.iphone,#android:checked~.android{display:block}
.hr{border-top:1px solid var(--line);margin-top:1.25rem}
.go+.soft{margin-top:.5rem;text-align:center;line-height:1.45}
.fold{border-top:1px solid var(--line);margin-top:1rem;padding-top:1rem}
.fold+.fold{margin-top:1rem}
details>summary{display:flex;align-items:center;justify-content:space-between;gap:.75rem}
details.fold>summary::after,details.card>summary::after{content:"";flex:none;width:.5rem;height:.5rem;margin-inline-end:.25rem;border:solid var(--soft);border-width:0 2px 2px 0;transform:rotate(45deg) translate(-2px,-2px)}
details[open]>summary::after{transform:rotate(225deg) translate(-2px,-2px)}
.qr{display:block;width:100%;max-width:15rem;margin:1rem auto 0;border-radius:1rem;border:1px solid var(--line);background:#fff}
button{display:none;flex:none;min-height:2.75rem;padding:0 1rem;border-radius:.75rem;border:1px solid var(--line);background:var(--card);color:var(--accent);font:inherit;font-size:.875rem;font-weight:650;cursor:pointer}
.js button{display:block;position:relative}
.vh,#said{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.hints{list-style:none;display:grid;gap:.75rem;margin-top:.75rem}
.hints li{display:flex;gap:.75rem}
.hints svg{margin-top:.25rem;color:var(--accent)}
.hints div{flex:1;min-width:0}
.hints .codes{margin-top:.375rem}
footer{padding:1.25rem .25rem 0;color:var(--soft);font-size:.875rem;text-align:center}
footer p+p{margin-top:.25rem}
.missing{min-height:100vh;display:grid;place-content:center;justify-items:center;gap:.75rem;padding:2rem;text-align:center}
.missing h1{font-size:1.375rem}
.missing p{max-width:26rem;color:var(--soft)}
.missing svg{width:3rem;height:3rem;color:var(--soft);stroke-width:1.4}
@media (min-width:56rem){.wrap{padding:0 2rem 3rem}header{min-height:5.5rem}.grid{grid-template-columns:minmax(0,5fr) minmax(0,6fr)}.grid,.grid>div{gap:1.25rem}.grid>:first-child{position:sticky;top:1.25rem;align-self:start}.card{padding:1.5rem}.pass h1{font-size:2.25rem}}
@media print{.lang,.phones,.go,.soft,details.fold>summary::after{display:none}}
`;

/** The pages of "It doesn't work": as small as they can be, because they are read with the last bars of a battery and of a network. */
export const helpStyle = `${common}.wrap{max-width:34rem}
main{display:grid;gap:1rem}
h1{font-size:1.375rem;line-height:1.25;letter-spacing:-.01em}
.card p,.card dl{margin-top:.625rem}
.card .soft{margin:0 0 .375rem}
.card .go,button.go{margin-top:1.25rem}
h2{margin-top:1rem;font-size:1rem}
h2+ol{margin-top:.625rem}
.choices{list-style:none;margin-top:1rem;display:grid;gap:.625rem}
.choices a{display:block;padding:.75rem 1rem;border-radius:.75rem;background:var(--page);border:1px solid var(--line);color:inherit;font-weight:600;text-decoration:none}
label{display:block;margin-top:1rem;font-weight:600}
input,textarea{display:block;width:100%;margin-top:.375rem;padding:.75rem;border-radius:.75rem;border:1px solid var(--soft);background:var(--page);color:inherit;font:inherit;font-weight:400}
button.go{width:100%;border:0;font:inherit;font-weight:700;cursor:pointer}
.bad{color:var(--bad);font-weight:600}
.models{margin:.75rem 0 0;padding-inline-start:1.25rem}
.more{display:flex;flex-wrap:wrap;justify-content:center;gap:.25rem 1.5rem}
.more a{padding:.625rem 0}
`;

export const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const icon = (path: string): Html => new Html(`<svg class="i" viewBox="0 0 24 24" aria-hidden="true">${path}</svg>`);

export const icons = {
  globe: icon('<circle cx="12" cy="12" r="9"/><path d="M3 12h18M12 3c5 5 5 13 0 18M12 3c-5 5-5 13 0 18"/>'),
  sim: icon('<path d="M6 3h8l4 4v14H6z"/><path d="M9 12h6v6H9zM12 12v6M9 15h6"/>'),
  download: icon('<path d="M12 4v11m-5-5 5 5 5-5M5 20h14"/>'),
  signal: icon('<path d="M5 20v-4M10 20v-8M15 20V8M20 20V4"/>'),
  gear: icon('<path d="M4 7h10M18 7h2M4 17h2M10 17h10"/><circle cx="16" cy="7" r="2"/><circle cx="8" cy="17" r="2"/>'),
  help: icon('<circle cx="12" cy="12" r="9"/><path d="M9.5 9.5a2.5 2.5 0 1 1 3.5 2.3c-.7.3-1 .9-1 1.7M12 17h.01"/>'),
  chat: icon('<path d="M4 5h16v11H9l-5 4z"/>'),
  plus: icon('<path d="M12 5v14M5 12h14"/>'),
  lost: icon('<circle cx="12" cy="12" r="9"/><path d="m8 8 8 8M16 8l-8 8"/>'),
} as const;
