import type { Page } from 'playwright-core'

/** What is wider than the screen, and what is too small for a finger. */
export function layoutProblems(page: Page) {
  return page.evaluate(() => ({
    wide: document.documentElement.scrollWidth - innerWidth,
    small: [...document.querySelectorAll('button, a, input, select, summary')]
      // A box to tick or choose is reached through its label, and a link may stand in a sentence.
      .map((element) => element.closest('label') ?? element)
      .filter((element) => element.checkVisibility() && !element.matches('p > a'))
      .filter((element) => element.getBoundingClientRect().height < 24)
      .map((element) => element.outerHTML),
  }))
}

/** Titles out of order, things without a name, ids that are there twice or not at all. */
export async function accessibilityProblems(page: Page) {
  const tree = await page.locator('body').ariaSnapshot()
  const usable = /- (button|link|textbox|radio|checkbox|combobox|searchbox)( \[.*\])?:?$/
  const found = await page.evaluate(() => {
    const titles = [...document.querySelectorAll('h1, h2, h3, h4')].filter((title) => title.checkVisibility())
    const levels = titles.map(({ tagName }) => Number(tagName[1]))
    const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id)
    const described = [...document.querySelectorAll('[aria-describedby]')].flatMap((element) =>
      (element.getAttribute('aria-describedby') ?? '').split(' '),
    )
    return {
      mains: levels.filter((level) => level === 1).length,
      leaps: levels.filter((level, at) => level > (levels[at - 1] ?? 0) + 1),
      twice: ids.filter((id, at) => ids.indexOf(id) !== at),
      lost: described.filter((id) => !ids.includes(id)),
    }
  })
  return { ...found, nameless: tree.split('\n').filter((line) => usable.test(line)) }
}

/** What a page in order has none of. */
export const NO_ACCESSIBILITY_PROBLEMS = { mains: 1, leaps: [], twice: [], lost: [], nameless: [] }
export const NO_LAYOUT_PROBLEMS = { wide: 0, small: [] }
