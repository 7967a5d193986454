/**
 * A step of the database's schema. The statements stand in TypeScript files so that they are part of what is built; they
 * are plain SQL, the same on both engines. A published migration is never changed: a new one follows it.
 */
export interface Migration {
  /** 1, 2, 3 … without gaps. */
  readonly number: number
  readonly name: string
  readonly statements: readonly string[]
}
