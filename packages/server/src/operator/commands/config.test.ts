import { expect, test } from 'vitest'
import { useOperatorStage } from '../../../test/operator/stage.js'

const stage = useOperatorStage()

test('config shows the settings without opening the database', async () => {
  const { out } = await stage.run({ verb: 'config', json: false })
  expect(out).toMatch(/^SETTING +VALUE +FROM\n/)
  expect(out).toMatch(/^databaseUrl +the embedded database +default$/m)
  expect(out).toContain(`${stage.folder()}  --data-dir\n`)
  const { file, settings } = JSON.parse((await stage.run({ verb: 'config', json: true })).out)
  expect(file).toBeNull()
  expect(settings.port).toEqual({ value: 8080, from: 'default' })
})
