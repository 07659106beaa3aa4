/**
 * All the pages need a script for: the language of samples is remembered, and code can be copied. Without it everything can be read.
 * Where storage is forbidden, the choice holds for the page. What an endpoint has for people who are signed in is loaded where
 * somebody has used the panel (`web/src/panel/useMode.ts` leaves the mark), so strangers ask for nothing.
 */
export const script = `(()=>{
const d=document,KEY='language';
const kept=(key=KEY)=>{try{return localStorage.getItem(key)}catch{return null}};
const choose=language=>{for(const r of d.querySelectorAll('.samples input'))r.checked=r.value===language};
const known=[...d.querySelectorAll('.samples input')].map(r=>r.value);
if(known.includes(kept()))choose(kept());
d.addEventListener('change',({target})=>{if(!target.matches('.samples input'))return;
choose(target.value);try{localStorage.setItem(KEY,target.value)}catch{}});
if(navigator.clipboard)for(const pre of d.querySelectorAll('pre')){const b=d.createElement('button');
b.type='button';b.className='copy';b.textContent='Copy';
b.onclick=async()=>{try{await navigator.clipboard.writeText(pre.textContent);b.textContent='Copied'}catch{b.textContent='Not copied'}
setTimeout(()=>{b.textContent='Copy'},2000)};
const box=d.createElement('div');box.className='block';pre.before(box);box.append(pre,b)}
if(d.querySelector('.try')&&kept('wayfare-mode'))import('/site/try.js').catch(()=>{});
})()`;
