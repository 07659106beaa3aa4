import { SECOND } from '../../platform/clock.ts';
import { OLD_AFTER_MS } from './usage.ts';

/**
 * All the page needs a script for: copying, times in the reader's own zone, and usage that stays current while the page is looked at.
 * Without it everything else works. A phone that shows something else asks for nothing.
 *
 * On a bad network an answer that does not come within 20 seconds is given up. Figures stay until better ones are there, and are
 * called old without a connection or after two failures. The next try comes after 10 seconds, then after twice as long each time, up to ten minutes; or at once when
 * the phone has a connection again.
 */
export const script = `(()=>{
const d=document,r=d.documentElement,EVERY=120000,LIMIT=20000,SOON=5000,MOST=600000,OLD=${OLD_AFTER_MS / SECOND};
r.classList.add('js');
const local=within=>{for(const t of within.querySelectorAll('time'))try{
t.textContent=new Intl.DateTimeFormat(r.lang+'-u-nu-latn',{dateStyle:'medium',timeStyle:'short'}).format(new Date(t.dateTime))
}catch{}};
local(d);
const byHand=(text,beside)=>{const f=d.createElement('textarea');f.value=text;f.readOnly=true;beside.after(f);f.select();
try{return d.execCommand('copy')}catch{return false}finally{f.remove()}};
d.addEventListener('click',async({target})=>{const b=target.closest('[data-copy]');if(!b)return;
let copied=true;try{await navigator.clipboard.writeText(b.dataset.copy)}catch{copied=byHand(b.dataset.copy,b)}
if(!copied){getSelection().selectAllChildren(b.previousElementSibling);return}
const says=b.firstElementChild,was=says.textContent,done=b.dataset.done;b.focus();says.textContent=d.getElementById('said').textContent=done;
setTimeout(()=>{if(was!==done)says.textContent=was},2000)});
let asking=false,fails=0,next=0,since=Date.now();
const old=()=>{const a=d.getElementById('age');
if(a&&(fails>1||!navigator.onLine||+a.dataset.age+(Date.now()-since)/1000>OLD))a.classList.add('old')};
const ask=async()=>{const u=d.getElementById('usage'),from=u&&u.dataset.from;
if(!from||d.hidden||asking||Date.now()<next)return;asking=true;
const c=new AbortController(),late=setTimeout(()=>c.abort(),LIMIT);
try{const a=await fetch(from,{signal:c.signal});if(!a.ok)throw a.status;
const t=d.createElement('template');t.innerHTML=await a.text();const n=t.content.getElementById('usage');if(!n)throw 0;
local(n);const f=u.contains(d.activeElement);u.replaceWith(n);if(f)d.getElementById('refill')?.focus();fails=0;since=Date.now()}catch{fails++}
clearTimeout(late);asking=false;next=Date.now()+(fails?Math.min(SOON*2**fails,MOST):EVERY);old()};
ask();setInterval(()=>{old();ask()},SOON);d.addEventListener('visibilitychange',ask);addEventListener('online',()=>{next=0;ask()});
})()`;
