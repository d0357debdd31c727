import { join } from 'node:path'
import { createClient } from '@plantroom/client/client'
import { countRequests } from '@plantroom/client/count-requests'
import { sendWithKey } from '@plantroom/client/http'
import { plantroom } from '../support/run.ts'
import { folderForFiles } from './support/packages.ts'
import { expect, signIn, sitePath, test } from './support/test.ts'

test('exports all requests as a valid package', async ({ page, demo, manager }) => {
  using folder = folderForFiles()
  const client = createClient(sendWithKey(demo.baseUrl, demo.apiKey))
  const { orgId, propertyId } = demo
  await client.addRequest({ orgId, propertyId, body: { title: 'One to export' } })
  const count = await countRequests(client, { orgId, propertyId })

  await signIn(page, manager, sitePath(demo, '/settings/packages'))
  // A dialog that is closed gives the focus back.
  const setUp = page.getByRole('button', { name: 'Set up automatic export' })
  await setUp.click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(setUp).toBeFocused()
  await page.getByRole('button', { name: 'Export all requests' }).click()
  await expect(page.getByRole('main')).toContainText('The package is ready')
  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: /^Download \(/ }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toMatch(/\.fpl$/)
  const file = join(folder.path, download.suggestedFilename())
  await download.saveAs(file)

  const { code, stdout, stderr } = await plantroom(['package', 'check', file, '--json'])
  expect(code, stderr).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ tickets: count })
})
