/** One page of a list. `nextCursor` is `null` on the last page. */
interface Page {
  readonly nextCursor: string | null
}

/** Fetches the page at a cursor; the first page has none. */
type FetchPage<Fetched extends Page> = (cursor: string | undefined) => Promise<Fetched>

/** Yields every page of a list. Fetches a page only when the caller asks for it. */
export async function* pages<Fetched extends Page>(fetchPage: FetchPage<Fetched>): AsyncGenerator<Fetched, void> {
  let cursor: string | undefined
  for (;;) {
    const page = await fetchPage(cursor)
    yield page
    if (page.nextCursor === null) return
    // The same cursor leads to the same page, so the loop would never end.
    if (page.nextCursor === cursor) throw new Error(`the service returned the cursor ${cursor} twice`)
    cursor = page.nextCursor
  }
}

/** Returns the items of all pages. Stops early after the page that reaches `enough` items. */
export async function collectItems<Fetched extends Page, Item>(
  fetchPage: FetchPage<Fetched>,
  itemsOf: (page: Fetched) => readonly Item[],
  enough = Number.POSITIVE_INFINITY,
): Promise<Item[]> {
  const found: Item[] = []
  for await (const page of pages(fetchPage)) {
    found.push(...itemsOf(page))
    if (found.length >= enough) break
  }
  return found
}
