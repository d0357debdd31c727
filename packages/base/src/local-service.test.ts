import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { hostInUrl, type LocalService, readLocalService, writeLocalService } from './local-service.ts'

const SERVICE: LocalService = { url: 'https://127.0.0.1:443', instance: 'i', token: 't', certificate: 'PEM' }

describe('the place of a service on its machine', () => {
  test('is in its data folder, for its owner only, and follows the last process', async () => {
    const folder = temporaryFolder()
    expect(readLocalService(folder)).toBeUndefined()
    await writeLocalService(folder, { ...SERVICE, certificate: null })
    await writeLocalService(folder, SERVICE)
    expect(readLocalService(folder)).toEqual(SERVICE)
    expect(statSync(join(folder, 'service.json')).mode & 0o777).toBe(0o600)
  })

  test.each(['', '{}', '[', 'null', '{"url":"x","instance":"i","token":"t","certificate":null}'])(
    'is unknown with a file of %j',
    (text) => {
      const folder = temporaryFolder()
      writeFileSync(join(folder, 'service.json'), text)
      expect(readLocalService(folder)).toBeUndefined()
    },
  )

  test.each([
    ['0.0.0.0', '127.0.0.1'],
    ['::', '127.0.0.1'],
    ['::1', '[::1]'],
    ['10.0.0.5', '10.0.0.5'],
  ])('listening on %s, is reached at %s', (host, reached) => expect(hostInUrl(host)).toBe(reached))
})
