/**
 * A step of the schema. The statements are plain SQL, the same on both engines, in TypeScript files so that the build contains
 * them. A published migration is never changed: a new one is added.
 */
export interface Migration {
  /** 1, 2, 3 … without gaps. */
  readonly number: number
  readonly name: string
  readonly statements: readonly string[]
}
