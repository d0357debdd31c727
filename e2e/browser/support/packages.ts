import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'

/** A folder for the files of one test. */
export function folderForFiles(): { path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), 'plantroom-browser-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

/** Drops a file onto the page, as from a file manager. */
export async function dropPackage(page: Page, path: string): Promise<void> {
  await page.getByText('Drop a package here').drop({ files: path })
}
