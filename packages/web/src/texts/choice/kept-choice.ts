import type { BrowserStorage } from '../../browser-storage.ts'
import type { Choice } from './choose-language.ts'

/** The choice that was made in this browser, before signing in. */
const BROWSER = 'plantroom-language'
/** The choice of the account that was signed in last, so that the first page already has it. */
const ACCOUNT = 'plantroom-account-language'

/** Returns what was chosen; the account comes before the browser. */
export function keptChoice(storage: BrowserStorage | undefined): Choice {
  const [browser, account] = [read(storage, BROWSER), read(storage, ACCOUNT)]
  return { language: account.language ?? browser.language, locale: account.locale }
}

/** Keeps a choice that was made in this browser. It replaces that of the account until the next sign-in. */
export function keepForBrowser(storage: BrowserStorage | undefined, language: string): void {
  write(storage, BROWSER, { language })
  write(storage, ACCOUNT, {})
}

/**
 * Keeps the choice of the account. Returns whether the page must be loaded again to show it: not when it shows it
 * already, and not when the browser keeps nothing, because the page would load again for ever.
 */
export function keepForAccount(storage: BrowserStorage | undefined, { language, locale }: Choice): boolean {
  const before = keptChoice(storage)
  write(storage, ACCOUNT, { language, locale })
  const after = keptChoice(storage)
  return before.language !== after.language || before.locale !== after.locale
}

function read(storage: BrowserStorage | undefined, key: string): Choice {
  try {
    const kept: unknown = JSON.parse(storage?.getItem(key) ?? '{}')
    if (typeof kept !== 'object' || kept === null) return {}
    const text = (name: string) => {
      const value: unknown = Reflect.get(kept, name)
      return typeof value === 'string' ? value : undefined
    }
    return { language: text('language'), locale: text('locale') }
  } catch {
    return {}
  }
}

function write(storage: BrowserStorage | undefined, key: string, { language, locale }: Choice): void {
  try {
    if (language === undefined && locale === undefined) storage?.removeItem(key)
    else storage?.setItem(key, JSON.stringify({ language, locale }))
  } catch {
    // A browser that keeps nothing shows its own language.
  }
}
