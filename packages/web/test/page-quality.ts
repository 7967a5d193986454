import type { Page } from 'playwright-core'

/** How far the page is wider than the screen, and the controls that are too small to touch. */
export function layoutProblems(page: Page) {
  return page.evaluate(() => ({
    wide: document.documentElement.scrollWidth - innerWidth,
    small: [...document.querySelectorAll('button, a, input, select, summary')]
      // A checkbox or radio button is used through its label, and a link may be part of a sentence.
      .map((element) => element.closest('label') ?? element)
      .filter((element) => element.checkVisibility() && !element.matches('p > a'))
      .filter((element) => element.getBoundingClientRect().height < 24)
      .map((element) => element.outerHTML),
  }))
}

/** Headings in the wrong order, controls without a name, ids that are duplicate or missing. */
export async function accessibilityProblems(page: Page) {
  const tree = await page.locator('body').ariaSnapshot()
  const unnamed = /- (button|link|textbox|radio|checkbox|combobox|searchbox)( \[.*\])?:?$/
  const found = await page.evaluate(() => {
    const headings = [...document.querySelectorAll('h1, h2, h3, h4')].filter((heading) => heading.checkVisibility())
    const levels = headings.map(({ tagName }) => Number(tagName[1]))
    const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id)
    const described = [...document.querySelectorAll('[aria-describedby]')].flatMap((element) =>
      (element.getAttribute('aria-describedby') ?? '').split(' '),
    )
    return {
      mainHeadings: levels.filter((level) => level === 1).length,
      skippedLevels: levels.filter((level, at) => level > (levels[at - 1] ?? 0) + 1),
      duplicateIds: ids.filter((id, at) => ids.indexOf(id) !== at),
      missingIds: described.filter((id) => !ids.includes(id)),
    }
  })
  return { ...found, unnamed: tree.split('\n').filter((line) => unnamed.test(line)) }
}

export const NO_ACCESSIBILITY_PROBLEMS = {
  mainHeadings: 1,
  skippedLevels: [],
  duplicateIds: [],
  missingIds: [],
  unnamed: [],
}
export const NO_LAYOUT_PROBLEMS = { wide: 0, small: [] }

/** A text that is hard to read, with its contrast ratio. */
export interface LowContrastText {
  readonly text: string
  readonly ratio: number
}

/**
 * Finds the visible texts of a page whose contrast is below the minimum of WCAG AA: 4.5, and 3 for large text.
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
    const backgroundOf = (element: Element | null): Colour => {
      if (element === null) return [255, 255, 255, 1]
      const own = read(getComputedStyle(element).backgroundColor)
      return own[3] === 1 ? own : over(own, backgroundOf(element.parentElement))
    }
    const ratioOf = (text: Colour, background: Colour) => {
      const [light, dark] = [luminance(over(text, background)), luminance(background)].sort((a, b) => b - a) as [
        number,
        number,
      ]
      return (light + 0.05) / (dark + 0.05)
    }
    const found: { text: string; ratio: number }[] = []
    const check = (text: string, element: Element, colour: string) => {
      const style = getComputedStyle(element)
      const size = Number.parseFloat(style.fontSize)
      const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700)
      const ratio = ratioOf(read(colour), backgroundOf(element))
      if (ratio < (large ? 3 : 4.5)) found.push({ text, ratio })
    }
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const element = node.parentElement
      const text = node.textContent?.trim() ?? ''
      if (element === null || text === '' || !element.checkVisibility() || element.closest('.off-screen')) continue
      check(text, element, getComputedStyle(element).color)
    }
    for (const input of document.querySelectorAll('input')) {
      if (input.placeholder !== '') check(input.placeholder, input, getComputedStyle(input, '::placeholder').color)
    }
    return found
  })
}
