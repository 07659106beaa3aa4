import type { FunctionComponent, SVGProps } from 'react';

export type Icon = FunctionComponent<SVGProps<SVGSVGElement> & { readonly size?: number | string }>;

/** The component of an outlined icon whose lines run along these paths. */
export const drawn =
  (paths: readonly string[]): Icon =>
  ({ size = 24, className, ...rest }) => (
    // biome-ignore lint/a11y/noSvgWithoutTitle: it stands beside words, or gets an aria-label where it is used.
    <svg
      xmlns="http://www.w3.org/2000/svg"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
      className={className ? `icon ${className}` : 'icon'}
      {...rest}
    >
      {paths.map((path) => (
        <path key={path} d={path} />
      ))}
    </svg>
  );
