import type { Page } from 'playwright-core';

/**
 * Texts that reach beyond the window or the card or dialog they are in, whose edge cuts them off. Not those that end in an ellipsis,
 * nor what can be scrolled.
 */
export const cutOff = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = [];
    const isLetGo = (it) => {
      for (let at = it; at && at !== document.body; at = at.parentElement) {
        const { textOverflow, overflowX, webkitLineClamp, clip, clipPath } = getComputedStyle(at);
        if (textOverflow === 'ellipsis' || /auto|scroll/.test(overflowX) || webkitLineClamp !== 'none') return true;
        // For screen readers only.
        if (clip !== 'auto' || clipPath !== 'none') return true;
      }
      return false;
    };
    while (texts.nextNode()) {
      const { currentNode: text } = texts;
      const it = text.parentElement;
      if (text.textContent.trim() === '' || !it.checkVisibility({ visibilityProperty: true }) || it.closest('.skip')) continue;
      const box = it.closest('.mantine-Card-root, [role=dialog], [role=menu]');
      const right = Math.min(innerWidth, box ? box.getBoundingClientRect().right : innerWidth);
      const range = document.createRange();
      range.selectNodeContents(text);
      const reaches = Math.max(...[...range.getClientRects()].map((rect) => rect.right));
      if (reaches > right + 1 && !isLetGo(it))
        found.push(Math.round(reaches) + ' of ' + Math.round(right) + ' px: ' + text.textContent.trim().slice(0, 60));
    }
    return found.slice(0, 5);
  })()`);
