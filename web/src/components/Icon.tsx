/** Drawn on a 24-unit grid with one stroke width, so that they look alike. */
const shapes = {
  alert: 'M12 4 2.5 20h19zM12 10v4.5M12 17.4v.1',
  back: 'm14 6-6 6 6 6',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  clock: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17M12 7.5V12l3 2',
  copy: 'M9 9h11v11H9zM15 9V4H4v11h5',
  home: 'M4 11 12 4l8 7v9h-5.5v-6h-5v6H4z',
  key: 'M15.5 4a4.5 4.5 0 1 0-3.9 6.7L4 18.4V21h3v-2h2v-2h2l2.8-2.8A4.5 4.5 0 0 0 15.5 4m.6 4.4h.1',
  money: 'M3.5 6.5h17v11h-17zM12 9.6a2.4 2.4 0 1 0 0 4.8 2.4 2.4 0 0 0 0-4.8M6.5 12h.1M17.4 12h.1',
  moon: 'M20 14.2A8.2 8.2 0 0 1 9.8 4 8.3 8.3 0 1 0 20 14.2',
  open: 'M14 4h6v6M20 4l-9 9M10 5H5v14h14v-5',
  orders: 'M6 3.5h9l3.5 3.5v13.5H6zM9.5 10.5h5.5M9.5 14h5.5M9.5 17.2h3',
  plus: 'M12 5v14M5 12h14',
  settings:
    'M4 7h9M17 7h3M4 17h3M11 17h9M15 4.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5M9 14.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5',
  signOut: 'M10 4.5H4.5v15H10M14.5 8l4 4-4 4M18 12H9',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M18.7 5.3l-1.4 1.4M6.7 17.3l-1.4 1.4',
  tools: 'M9 3.5v6l-5 8.7c-.6 1.1.1 2.3 1.4 2.3h13.2c1.3 0 2-1.2 1.4-2.3l-5-8.7v-6M7.5 3.5h9M7 15h10',
  webhook:
    'M12 4.5a3.3 3.3 0 0 0-1.6 6.2L7.2 16M5.9 13.6a3.3 3.3 0 1 0 3.6 4.1h5.6M15.2 7.3 18 12.2a3.3 3.3 0 1 1-1.8 6.1',
} as const;

export type IconName = keyof typeof shapes;

/** Beside a word, or in a button that has a label: never the only thing that says what it means. */
export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.7}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      style={{ flexShrink: 0 }}
    >
      <path d={shapes[name]} />
    </svg>
  );
}
