import type { Language } from '@plantroom/contract/languages'
import type { Result, Search } from './search.ts'

interface Box {
  /** What the page says in its language, and where its texts are: see `tools/src/build-help/search-field.ts`. */
  texts: DOMStringMap
  input: HTMLInputElement
  results: HTMLElement
  status: HTMLElement
}

/** Shows the search field of a page and lists results while a person types. The text of the pages loads with the first use. */
export function searchBox(root: Document): void {
  const texts = root.querySelector<HTMLElement>('search')?.dataset
  const form = root.querySelector<HTMLFormElement>('search form')
  const input = root.querySelector<HTMLInputElement>('search input')
  const results = root.querySelector<HTMLElement>('#results')
  const status = root.querySelector<HTMLElement>('search .status')
  if (!texts || !form || !input || !results || !status) return
  const box: Box = { texts, input, results, status }
  let loading: Promise<Search> | undefined
  const load = () => {
    loading ??= import('./search.ts').then(({ loadSearch }) =>
      loadSearch(texts.pages ?? '', texts.language as Language, location.pathname),
    )
    return loading
  }
  const update = async () => {
    const words = input.value.trim()
    if (words === '') {
      close(box)
      return
    }
    try {
      const found = (await load())(words)
      if (input.value.trim() === words) show(box, found)
    } catch {
      loading = undefined
      say(box, texts.failed ?? '')
    }
  }
  form.hidden = false
  input.addEventListener('input', () => void update())
  input.addEventListener('click', () => void update())
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    results.querySelector('a')?.click()
  })
  root.addEventListener('keydown', (event) => handleKey(event, box))
  root.addEventListener('click', (event) => {
    if (!(event.target as Element).closest('search')) close(box)
  })
  // Links to a place on the same page load nothing, so the list would stay open.
  results.addEventListener('click', (event) => {
    if ((event.target as Element).closest('a')) close(box)
  })
  suggest(root, load)
}

/** The page for unknown addresses searches for the words of the address. */
function suggest(root: Document, load: () => Promise<Search>): void {
  const place = root.querySelector('#suggestions')
  const words = decodeURIComponent(location.pathname.split('/').at(-1) ?? '').replace(/\.\w+$|[^\p{L}\p{N}]+/gu, ' ')
  if (!place || words.trim() === '') return
  load()
    .then((search) => {
      const found = search(words)
      if (found.length === 0) return
      const heading = root.createElement('h2')
      heading.textContent = 'Pages that may help'
      place.replaceChildren(heading, listOf(found.slice(0, 5)))
    })
    .catch(() => {})
}

function handleKey(event: KeyboardEvent, box: Box): void {
  const { input, results } = box
  const target = event.target as HTMLElement
  if (event.key === '/' && !event.ctrlKey && !event.metaKey && !target.closest('input, textarea')) {
    event.preventDefault()
    input.focus()
  } else if (event.key === 'Escape' && target.closest('search')) {
    close(box)
    input.focus()
  } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && target.closest('search') && !results.hidden) {
    const stops: HTMLElement[] = [input, ...results.querySelectorAll('a')]
    const next = stops.indexOf(target) + (event.key === 'ArrowDown' ? 1 : -1)
    event.preventDefault()
    stops[Math.min(Math.max(next, 0), stops.length - 1)]?.focus()
  }
}

function show(box: Box, found: readonly Result[]): void {
  if (found.length === 0) {
    say(box, box.texts.none ?? '')
    return
  }
  box.results.hidden = false
  box.results.replaceChildren(listOf(found))
  box.status.textContent = (box.texts.count ?? '').replace('{count}', String(found.length))
}

function say(box: Box, sentence: string): void {
  const paragraph = document.createElement('p')
  paragraph.textContent = sentence
  box.results.hidden = false
  box.results.replaceChildren(paragraph)
  box.status.textContent = sentence
}

function close({ results, status }: Box): void {
  results.hidden = true
  results.replaceChildren()
  status.textContent = ''
}

function listOf(found: readonly Result[]): HTMLElement {
  const list = document.createElement('ul')
  list.className = 'found'
  for (const { address, title, heading, part, snippet } of found) {
    const link = document.createElement('a')
    link.href = address
    const name = element('strong', heading === '' ? title : `${title} › ${heading}`)
    const text = element('span', '')
    text.className = 'snippet'
    for (const { text: words, found: isMark } of snippet) text.append(isMark ? element('mark', words) : words)
    link.append(name, element('small', part), text)
    const item = document.createElement('li')
    item.append(link)
    list.append(item)
  }
  return list
}

function element(name: string, text: string): HTMLElement {
  const made = document.createElement(name)
  made.textContent = text
  return made
}
