import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { reloadAfterUpdate } from './reload-after-update.ts'
import { LANGUAGE } from './texts/language.ts'

reloadAfterUpdate()
document.documentElement.lang = LANGUAGE

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root element')
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
