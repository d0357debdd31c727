export type { Answers } from './answers.ts'
export { sampleAnswers, templateProblems } from './check.ts'
export { fillTemplate, rangesOf } from './fill.ts'
export { questionsOf } from './questions.ts'
export {
  summaryOf,
  TEMPLATE_FAMILIES,
  Template,
  type TemplateFamily,
  type TemplateQuestion,
} from './template.ts'
