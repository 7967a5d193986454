import type { Page } from 'playwright-core'

/** A text that is hard to read: its words, and how it stands out against what is behind it. */
export interface LowContrastText {
  readonly text: string
  readonly ratio: number
}

/**
 * Finds the visible texts of a page whose contrast is below what WCAG AA asks for: 4.5, and 3 for large ones.
 *
 * @example
 * expect(await lowContrastTexts(page)).toEqual([])
 */
export async function lowContrastTexts(page: Page): Promise<readonly LowContrastText[]> {
  return page.evaluate(() => {
    type Colour = readonly [number, number, number, number]
    const painter = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!
    const read = (css: string): Colour => {
      painter.clearRect(0, 0, 1, 1)
      painter.fillStyle = css
      painter.fillRect(0, 0, 1, 1)
      const [r = 0, g = 0, b = 0, a = 0] = painter.getImageData(0, 0, 1, 1).data
      return [r, g, b, a / 255]
    }
    const over = ([r, g, b, a]: Colour, [R, G, B]: Colour): Colour => [
      r * a + R * (1 - a),
      g * a + G * (1 - a),
      b * a + B * (1 - a),
      1,
    ]
    const luminance = ([r, g, b]: Colour) => {
      const [x = 0, y = 0, z = 0] = [r, g, b].map((part) => {
        const share = part / 255
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
      })
      return 0.2126 * x + 0.7152 * y + 0.0722 * z
    }
    const ground = (element: Element | null): Colour => {
      if (element === null) return [255, 255, 255, 1]
      const own = read(getComputedStyle(element).backgroundColor)
      return own[3] === 1 ? own : over(own, ground(element.parentElement))
    }
    const ratioOf = (text: Colour, behind: Colour) => {
      const [light, dark] = [luminance(over(text, behind)), luminance(behind)].sort((a, b) => b - a) as [number, number]
      return (light + 0.05) / (dark + 0.05)
    }
    const found: { text: string; ratio: number }[] = []
    const judge = (text: string, element: Element, colour: string) => {
      const style = getComputedStyle(element)
      const size = Number.parseFloat(style.fontSize)
      const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700)
      const ratio = ratioOf(read(colour), ground(element))
      if (ratio < (large ? 3 : 4.5)) found.push({ text, ratio })
    }
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const element = node.parentElement
      const text = node.textContent?.trim() ?? ''
      if (element === null || text === '' || !element.checkVisibility() || element.closest('.off-screen')) continue
      judge(text, element, getComputedStyle(element).color)
    }
    for (const input of document.querySelectorAll('input')) {
      if (input.placeholder !== '') judge(input.placeholder, input, getComputedStyle(input, '::placeholder').color)
    }
    return found
  })
}
