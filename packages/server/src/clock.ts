/** The current time. It is passed in everywhere, so that tests can set it. */
export type Clock = () => Date

export function after(time: Date, milliseconds: number): Date {
  return new Date(time.getTime() + milliseconds)
}
