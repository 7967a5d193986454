/** The eye. */
export function Mark() {
  return (
    <svg className="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" />
      <path d="M4.5 16C8 10.2 11.7 8 16 8s8 2.2 11.5 8C24 21.8 20.3 24 16 24S8 21.8 4.5 16Z" />
      <path className="moon" d="M16 11.5a4.5 4.5 0 1 0 4.5 4.5 3.4 3.4 0 0 1-4.5-4.5Z" />
    </svg>
  )
}
