import { CloseButton, Group, Stack, Text, TextInput, Typography } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type MouseEvent, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useLocation } from 'wouter'
import { common, navigation } from '../../texts/common.ts'
import { help as texts } from '../../texts/help.ts'
import { ErrorNotice, Loading } from '../notices.tsx'
import { type Article, articleOf } from './article-of.ts'
import { FoundSections } from './found-sections.tsx'
import classes from './help-panel.module.css'
import { ALL_ARTICLES, addressOf, type LoadedArticle, loadArticle } from './load-article.ts'

/** The article about the current page, beside it, with a search. It follows the page until a link or result is chosen. */
export function HelpPanel({ article, onClose }: { article: Article | undefined; onClose: () => void }) {
  const [path] = useLocation()
  const [chosen, setChosen] = useState<{ address: string; on: string }>()
  const [question, setQuestion] = useState('')
  const panel = useRef<HTMLElement>(null)
  useEffect(() => {
    const opener = document.activeElement
    panel.current?.focus()
    return () => (opener as HTMLElement | null)?.focus()
  }, [])
  const address = chosen?.on === path ? chosen.address : addressOf(article ?? articleOf(path))
  const loaded = useQuery({
    queryKey: ['help', withoutAnchor(address)],
    queryFn: () => loadArticle(withoutAnchor(address)),
    staleTime: Number.POSITIVE_INFINITY,
  })

  /** Shows articles in the panel. Links to other pages have a target of their own. */
  const follow = (event: MouseEvent) => {
    const link = (event.target as Element).closest('a')
    if (link?.target !== '' || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    setChosen({ address: link.getAttribute('href') ?? '', on: path })
    setQuestion('')
    panel.current?.focus()
  }

  return createPortal(
    <aside
      className={classes.panel}
      aria-label={navigation.help}
      ref={panel}
      tabIndex={-1}
      data-print="never"
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
      onClick={follow}
    >
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap">
          <Text fw={700}>{navigation.help}</Text>
          <CloseButton aria-label={common.close} onClick={onClose} />
        </Group>
        <TextInput
          type="search"
          aria-label={texts.search}
          placeholder={texts.search}
          value={question}
          onChange={(event) => setQuestion(event.currentTarget.value)}
        />
        {loaded.data && question.trim() !== '' && (
          <FoundSections pages={loaded.data.pages} question={question.trim()} />
        )}
        {loaded.error && <ErrorNotice error={loaded.error} retry={loaded.refetch} />}
        {loaded.isPending && <Loading />}
        {loaded.data && question.trim() === '' && <ArticleText article={loaded.data} anchor={anchorOf(address)} />}
        <Group gap="md" className={classes.foot}>
          <a href={ALL_ARTICLES}>{texts.all}</a>
          <a href="/help/" target="_blank" rel="noopener">
            {texts.documentation}
          </a>
          <a href={address} target="_blank" rel="noopener">
            {texts.openInTab}
          </a>
        </Group>
      </Stack>
    </aside>,
    document.body,
  )
}

const withoutAnchor = (address: string) => address.replace(/#.*/, '')
const anchorOf = (address: string) => decodeURIComponent(address.split('#')[1] ?? '')

function ArticleText({ article, anchor }: { article: LoadedArticle; anchor: string }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    place.current?.replaceChildren(...article.content)
    const heading = [...(place.current?.querySelectorAll('[id]') ?? [])].find(({ id }) => id === anchor)
    if (heading) heading.scrollIntoView()
    else place.current?.closest('aside')?.scrollTo(0, 0)
  }, [article, anchor])
  return (
    <Typography className={classes.article}>
      <div ref={place} />
    </Typography>
  )
}
