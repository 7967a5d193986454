/**
 * Stands for an object that is made when something of it is used first.
 *
 * @example
 * const zlib = later(() => process.getBuiltinModule('node:zlib'))
 */
export function later(make: () => object): object {
  let made: object | undefined
  const real = () => (made ??= make())
  return new Proxy(
    {},
    {
      // A promise that is resolved with the object asks whether it is a promise itself: that is no use of it.
      get: (_, name) => (name === 'then' ? undefined : Reflect.get(real(), name)),
      has: (_, name) => Reflect.has(real(), name),
      ownKeys: () => Reflect.ownKeys(real()),
      // Said to be configurable, as a proxy may only say of what its target does not have.
      getOwnPropertyDescriptor: (_, name) => {
        const property = Reflect.getOwnPropertyDescriptor(real(), name)
        return property && { ...property, configurable: true }
      },
    },
  )
}
