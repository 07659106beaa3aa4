import { Html } from '../../platform/contract/html.ts';

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
