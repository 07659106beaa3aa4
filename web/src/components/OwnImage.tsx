interface OwnImageProps {
  /** A flag's or QR code's full address on the panel host; empty when there is none. */
  src: string;
  width: number;
  height: number;
  alt: string;
}

/** Loaded from whatever name the panel was opened under, not the one it is configured with: they are the same host. */
export function OwnImage({ src, width, height, alt }: OwnImageProps) {
  if (src === '') return null;
  const { pathname, search } = new URL(src, window.location.href);
  return (
    <img src={pathname + search} width={width} height={height} alt={alt} style={{ flexShrink: 0, borderRadius: 2 }} />
  );
}
