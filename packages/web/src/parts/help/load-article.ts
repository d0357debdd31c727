import type { Language } from '@plantroom/contract/languages'
import { TEXT_LOCALE } from '../../texts/language.ts'
import type { Article } from './article-of.ts'

const ARTICLES = '/help/console/'

/** The page of the help with an article, in the language of the console. */
export const addressOf = (article: Article, language: Language = TEXT_LOCALE): string =>
  `${ARTICLES}${language}/${article}`

/** The list of all articles, by role. */
export const ALL_ARTICLES = `${ARTICLES}${TEXT_LOCALE}`

/** An address inside of the articles, which the panel shows itself. Other pages of the help open in a tab. */
export const isArticle = (address: string): boolean => address.startsWith(ARTICLES)

export interface LoadedArticle {
  content: readonly Node[]
  /** The address of the texts that the search of this language reads. */
  pages: string
}

/** Loads a page of the help and takes the article out of it. */
export async function loadArticle(address: string): Promise<LoadedArticle> {
  const answer = await fetch(address)
  if (!answer.ok) throw new Error(`${address} answered with ${answer.status}`)
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  const article = page.querySelector('article')
  const pages = page.querySelector<HTMLElement>('search')?.dataset.pages
  if (!article || pages === undefined) throw new Error(`${address} has no article`)
  for (const extra of article.querySelectorAll('.anchor, .part')) extra.remove()
  for (const link of article.querySelectorAll('a')) {
    if (isArticle(link.getAttribute('href') ?? '')) continue
    link.target = '_blank'
    link.rel = 'noopener'
  }
  return { content: [...article.childNodes], pages }
}
