import { createHash, randomFillSync } from 'node:crypto'
import { PART_BYTES } from '@plantroom/contract/uploads'
import { isCampaign, repeat, repetitions } from '@plantroom/testkit/repetitions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packageBytesOf, uploadInterrupted } from './support/interrupted-upload.ts'
import { type PackageService, startPackageService } from './support/package-service.ts'

const LANES = 2
const sum = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** The suite has one kill, in `package-cli.test.ts`. */
describe.runIf(isCampaign)('an upload while the service is killed', () => {
  let service: PackageService
  beforeAll(async () => {
    service = await startPackageService()
  })
  afterAll(() => service?.[Symbol.asyncDispose]())

  test(
    'arrives unchanged, and sends little twice',
    async () => {
      await repeat(1, async ({ number, random }) => {
        const site = await service.addSite(`Kills ${number}`)
        const parts = 4 + random.whole(0, 12)
        const bytes = randomFillSync(new Uint8Array(parts * PART_BYTES - random.whole(0, PART_BYTES - 1)))
        const kills = Array.from({ length: random.whole(1, 5) }, () => random.whole(1, bytes.length)).sort(
          (a, b) => a - b,
        )
        const sent = await uploadInterrupted(site, 'killed.fpl', bytes, {
          at: kills,
          interrupt: () => service.cloud.start(),
        })
        expect(sent).toBeLessThanOrEqual(bytes.length + kills.length * LANES * PART_BYTES)
        expect(sum(packageBytesOf(service.folder, site))).toBe(sum(bytes))
        expect((await site.client.listUploads(site.ids)).uploads).toEqual([])
      })
    },
    repetitions(1) * 120_000,
  )
})
