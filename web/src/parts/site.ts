/** The operator's name and look, which the server writes into the page. */
const metaOf = (name: string): string =>
  document.querySelector(`meta[name="site-${name}"]`)?.getAttribute('content') ?? '';

const OWN_ICON = '/icon.svg';

export const site = {
  name: metaOf('name'),
  /** Address of the operator's logo; empty: the name alone. */
  logo: metaOf('logo'),
  /** `#rrggbb`, readable on a light page. */
  color: metaOf('color'),
  get hasOwnIcon() {
    return this.logo === OWN_ICON;
  },
};

/** How much white, or black below zero, is in each of a colour's ten shades; the eighth is the colour itself. */
const shares = [0.93, 0.86, 0.74, 0.6, 0.46, 0.3, 0.15, 0, -0.12, -0.25];

/** Ten shades of a colour, from the lightest to the darkest, as Mantine wants them. */
export const shadesOf = (color: string): string[] =>
  shares.map((share) => {
    const goal = share > 0 ? 255 : 0;
    const parts = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
    const mixed = parts.map((part) => Math.round(part + (goal - part) * Math.abs(share)));
    return `#${mixed.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
  });
