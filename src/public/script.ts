/**
 * All the pages need a script for: the language of samples is remembered, and code can be copied. Without it everything can be read.
 * Where storage is forbidden, the choice holds for the page.
 */
export const script = `(()=>{
const d=document,KEY='language';
const kept=()=>{try{return localStorage.getItem(KEY)}catch{return null}};
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
})()`;
