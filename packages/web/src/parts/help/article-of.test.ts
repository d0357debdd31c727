import { LANGUAGES } from '@plantroom/contract/languages'
import { describe, expect, test } from 'vitest'
import routes from '../../routes.tsx?raw'
import { articleOf, articleOfPart } from './article-of.ts'

const articles = new Set(Object.keys(import.meta.glob('../../../../../docs/console/*/*.md', { query: '?raw' })))
const fileOf = (language: string, article: string) => `../../../../../docs/console/${language}/${article}.md`

/** For people without an account. It explains itself. */
const FORM = '/r/:token'

describe('the help', () => {
  const patterns = [
    ...routes.matchAll(/\bpath=(?:"([^"]*)"|\{`\$\{(?:SITE|ORGANIZATION)\}([^`]*)`\})|\bpage\('([^']*)'/g),
  ].map(([, whole, below, page]) => whole ?? `/o/:orgId/s/:siteId${below ?? page}`)
  const pages = patterns.filter((pattern) => !pattern.includes('*') && pattern !== FORM)

  test('sees every page of the router', () => {
    const imported = [...routes.matchAll(/'\.\/pages\/(.*?)'/g)].filter(([, file]) => file !== 'not-found-page.tsx')
    expect(pages).not.toHaveLength(patterns.length)
    expect(pages.length).toBeGreaterThanOrEqual(imported.length - 1)
    expect(imported.length).toBeGreaterThan(20)
  })

  test.each(pages)('has an article about %s in every language', (pattern) => {
    const parts = pattern.split('/').slice(1)
    const last = parts.findLastIndex((part) => !part.startsWith(':'))
    const article = articleOfPart(parts[last - 1], parts[last] ?? '')
    expect(article, `write docs/console/*/${parts[last]}.md and add it to ARTICLES in article-of.ts`).toBeDefined()
    for (const language of LANGUAGES) expect(articles).toContain(fileOf(language, article ?? ''))
  })

  test.each([
    ['/', 'sites'],
    ['/o/org_1/s/site_1', 'overview'],
    ['/o/org_1/s/site_1/devices/dev_1', 'devices'],
    ['/o/org_1/s/site_1/alerts', 'alerts'],
    ['/o/org_1/alert-settings', 'alert-rules'],
    ['/o/org_1/s/site_1/requests/12', 'requests'],
    ['/o/org_1/s/site_1/settings/packages/convert', 'convert'],
    ['/o/org_1/dispatches/dsp_1', 'dispatches'],
    ['/no/such/page', 'sites'],
  ])('of %s is %s', (path, article) => {
    expect(articleOf(path)).toBe(article)
  })
})
