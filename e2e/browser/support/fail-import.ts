import { createClient } from '@plantroom/client/client'
import { sendWithToken } from '@plantroom/client/http'
import { expect } from '@playwright/test'
import type { DemoJson } from '../../support/demo.ts'

/** Imports a file that is no package: the import fails, and its alert opens immediately. */
export async function failImport(demo: DemoJson, filename: string): Promise<void> {
  const { orgId, propertyId } = demo
  const operator = createClient(sendWithToken(demo.baseUrl, demo.adminToken))
  const site = { orgId, propertyId }
  const { url } = await operator.getUploadUrl({ ...site, query: { filename } })
  expect((await fetch(url, { method: 'PUT', body: 'no package' })).ok).toBe(true)
  await operator.startImport({ ...site, body: { filename } })
  await expect
    .poll(async () => {
      const { alerts } = await operator.listAlerts({ orgId, query: { open: 'true', kind: 'import-failed' } })
      return alerts.some(({ subject }) => subject.name === filename)
    })
    .toBe(true)
}
