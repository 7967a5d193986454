import { pathTo } from '../routes.js'

let last = pathTo('rules')

/** Keeps the address of the latest search, which the way back from a rule leads to. */
export function rememberSearch(address: string): void {
  last = address
}

/** The address of the latest search in this tab; of all rules where there was none. */
export function lastSearch(): string {
  return last
}
