/** How severe a problem is, as a word in a colour. */
export function Severity({ label }: { readonly label: string }) {
  return (
    <span className="severity" data-severity={label}>
      {label}
    </span>
  )
}
