import type { ConditionName } from '../../people/conditions.ts'

interface Codes {
  /** Concept and preferred term of SNOMED CT, international edition. */
  readonly snomed?: readonly [code: string, display: string]
  /** Code of ICD-10-CM; its text is in the diagnoses of the catalogue. */
  readonly icd?: string
}

/**
 * Codes of conditions; what no single code says stays a text. SNOMED CT as in public FHIR profiles and data sets (Synthea,
 * GECCO, US Core examples), ICD-10-CM as in `seeds/diagnoses.json`.
 */
// biome-ignore format: a table
export const conditionCodes: Readonly<Partial<Record<ConditionName, Codes>>> = {
  type_2_diabetes: { snomed: ['44054006', 'Diabetes mellitus type 2'], icd: 'E11.9' },
  type_1_diabetes: { snomed: ['46635009', 'Diabetes mellitus type 1'], icd: 'E10.9' },
  dyslipidemia: { snomed: ['370992007', 'Dyslipidemia'], icd: 'E78.5' },
  hypertension: { snomed: ['59621000', 'Essential hypertension'], icd: 'I10' },
  chronic_kidney_disease: { snomed: ['709044004', 'Chronic kidney disease'], icd: 'N18.9' },
  iron_deficiency_anemia: { snomed: ['87522002', 'Iron deficiency anemia'], icd: 'D50.9' },
  hypothyroidism: { snomed: ['40930008', 'Hypothyroidism'], icd: 'E03.9' },
  hyperthyroidism: { snomed: ['34486009', 'Hyperthyroidism'], icd: 'E05.90' },
  liver: { snomed: ['235856003', 'Disorder of liver'], icd: 'K76.9' },
  inflammation: { icd: 'R79.82' },
  vitamin_b12_deficiency: { snomed: ['190634004', 'Cobalamin deficiency'], icd: 'E53.8' },
  vitamin_d_deficiency: { snomed: ['34713006', 'Vitamin D deficiency'], icd: 'E55.9' },
  atrial_fibrillation: { snomed: ['49436004', 'Atrial fibrillation'], icd: 'I48.91' },
  sleep_apnea: { snomed: ['73430006', 'Sleep apnea'] },
  obesity: { snomed: ['414916001', 'Obesity'], icd: 'E66.9' },
  pregnancy: { snomed: ['77386006', 'Pregnancy'] },
  post_viral_fatigue: { snomed: ['51771007', 'Postviral fatigue syndrome'] },
  perimenopause: { icd: 'N95.1' },
}
