import { useState } from 'react';

type CopyState = 'idle' | 'copied' | 'failed';
const SHOWN_MS = 2_500;

/** Copies text and says whether it worked. Without https there is no `navigator.clipboard`, so the older way is tried as well. */
export function useCopy(): { state: CopyState; copy: (text: string, beside: Element) => void } {
  const [state, setState] = useState<CopyState>('idle');
  return {
    state,
    async copy(text, beside) {
      setState((await byClipboard(text)) || bySelection(text, beside) ? 'copied' : 'failed');
      setTimeout(() => setState('idle'), SHOWN_MS);
    },
  };
}

async function byClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** The field goes beside the button, inside the dialog if there is one: a dialog takes the focus back from anything outside it. */
function bySelection(text: string, beside: Element): boolean {
  const focused = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.style.position = 'fixed';
  field.style.opacity = '0';
  beside.after(field);
  field.select();
  try {
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    field.remove();
    if (focused instanceof HTMLElement) focused.focus();
  }
}
