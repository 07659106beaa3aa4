/**
 * All the page needs a script for: copying, times in the reader's own zone, and usage that stays current while the page is looked at.
 * Without it everything else works. A phone that shows something else asks for nothing.
 */
export const script = `(()=>{
const d=document,r=d.documentElement,EVERY=120000;
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
let due=true;
const ask=async()=>{const u=d.getElementById('usage'),from=u&&u.dataset.from;
if(!from||d.hidden||!due)return;due=false;
try{const a=await fetch(from);if(!a.ok)return;const t=d.createElement('template');t.innerHTML=await a.text();
local(t.content);u.replaceWith(t.content)}catch{}};
ask();setInterval(()=>{due=true;ask()},EVERY);d.addEventListener('visibilitychange',ask);
})()`;
