/** Where text goes, and what can be shown there. */
export interface Screen {
  /** Live lines can be redrawn. */
  readonly isTerminal: boolean
  readonly colours: boolean
  /** Characters in a line; 80 where nobody knows. Asked for anew each time: a window can be resized. */
  readonly columns: number
  /** Lines of the window; live lines take 24 where it is not known. */
  readonly rows?: number
  write(text: string): void
}
