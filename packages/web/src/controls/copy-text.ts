/**
 * Puts a text on the clipboard. Browsers allow the modern way only on secure pages, so a page served by plain HTTP inside a
 * company takes the old one.
 *
 * @example
 * const copied = await copyText('https://omen.example/v1/auth/login')
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea')
  area.value = text
  area.readOnly = true
  area.className = 'off-screen'
  const focused = document.activeElement
  document.body.append(area)
  area.select()
  try {
    return document.execCommand('copy')
  } catch {
    return false
  } finally {
    area.remove()
    if (focused instanceof HTMLElement) focused.focus()
  }
}
