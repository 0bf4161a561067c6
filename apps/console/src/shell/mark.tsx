/** The product's mark: walls that keep one room's water out of the next. */
export const Mark = ({ size = 22 }: { size?: number }) => (
  <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden className="shrink-0 text-accent">
    <rect width="32" height="32" rx="8" fill="currentColor" />
    <path d="M9 8h4v6H9zm0 10h4v6H9zm5.5-10h3v6h-3zm0 10h3v6h-3zM19 8h4v6h-4zm0 10h4v6h-4z" fill="#fff" />
  </svg>
);
