/** The webhooks of the service. Written by `npm run generate`; do not edit. */

/** A webhook of any type; a check of its `event_type` narrows it. */
export type WebhookEvent =
  | { readonly event_type: "provider.connection.created"; readonly data: ConnectionCreated; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "provider.connection.error"; readonly data: ConnectionFailed; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "provider.device.created"; readonly data: Device; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "provider.device.updated"; readonly data: Device; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "historical.data.steps.created"; readonly data: HistoricalPull; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "historical.data.distance.created"; readonly data: HistoricalPull; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "historical.data.calories_active.created"; readonly data: HistoricalPull; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "historical.data.calories_basal.created"; readonly data: HistoricalPull; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "historical.data.floors_climbed.created"; readonly data: HistoricalPull; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "historical.data.stand_duration.created"; readonly data: HistoricalPull; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "historical.data.daylight_exposure.created"; readonly data: HistoricalPull; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "historical.data.heartrate.created"; readonly data: HistoricalPull; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "historical.data.hrv.created"; readonly data: HistoricalPull; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "historical.data.respiratory_rate.created"; readonly data: HistoricalPull; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "historical.data.blood_oxygen.created"; readonly data: HistoricalPull; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "historical.data.stress_level.created"; readonly data: HistoricalPull; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "historical.data.glucose.created"; readonly data: HistoricalPull; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "historical.data.weight.created"; readonly data: HistoricalPull; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "historical.data.fat.created"; readonly data: HistoricalPull; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "historical.data.body_mass_index.created"; readonly data: HistoricalPull; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "historical.data.lean_body_mass.created"; readonly data: HistoricalPull; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "historical.data.waist_circumference.created"; readonly data: HistoricalPull; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "historical.data.blood_pressure.created"; readonly data: HistoricalPull; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "historical.data.body_temperature.created"; readonly data: HistoricalPull; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "historical.data.body_temperature_delta.created"; readonly data: HistoricalPull; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "historical.data.basal_body_temperature.created"; readonly data: HistoricalPull; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "historical.data.water.created"; readonly data: HistoricalPull; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "historical.data.caffeine.created"; readonly data: HistoricalPull; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "historical.data.carbohydrates.created"; readonly data: HistoricalPull; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "historical.data.insulin_injection.created"; readonly data: HistoricalPull; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "historical.data.note.created"; readonly data: HistoricalPull; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "historical.data.mindfulness_minutes.created"; readonly data: HistoricalPull; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "historical.data.handwashing.created"; readonly data: HistoricalPull; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "historical.data.stand_hour.created"; readonly data: HistoricalPull; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "historical.data.uv_exposure.created"; readonly data: HistoricalPull; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "historical.data.vo2_max.created"; readonly data: HistoricalPull; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "historical.data.heart_rate_recovery_one_minute.created"; readonly data: HistoricalPull; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "historical.data.workout_distance.created"; readonly data: HistoricalPull; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "historical.data.workout_duration.created"; readonly data: HistoricalPull; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "historical.data.workout_swimming_stroke.created"; readonly data: HistoricalPull; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "historical.data.electrocardiogram_voltage.created"; readonly data: HistoricalPull; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "historical.data.afib_burden.created"; readonly data: HistoricalPull; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "historical.data.heart_rate_alert.created"; readonly data: HistoricalPull; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "historical.data.sleep_apnea_alert.created"; readonly data: HistoricalPull; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "historical.data.sleep_breathing_disturbance.created"; readonly data: HistoricalPull; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "historical.data.fall.created"; readonly data: HistoricalPull; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "historical.data.wheelchair_push.created"; readonly data: HistoricalPull; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "historical.data.forced_expiratory_volume_1.created"; readonly data: HistoricalPull; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "historical.data.forced_vital_capacity.created"; readonly data: HistoricalPull; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "historical.data.peak_expiratory_flow_rate.created"; readonly data: HistoricalPull; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "historical.data.inhaler_usage.created"; readonly data: HistoricalPull; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "historical.data.cholesterol.created"; readonly data: HistoricalPull; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "historical.data.ige.created"; readonly data: HistoricalPull; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "historical.data.igg.created"; readonly data: HistoricalPull; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "historical.data.profile.created"; readonly data: HistoricalPull; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "historical.data.activity.created"; readonly data: HistoricalPull; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "historical.data.sleep.created"; readonly data: HistoricalPull; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "historical.data.sleep_cycle.created"; readonly data: HistoricalPull; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "historical.data.body.created"; readonly data: HistoricalPull; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "historical.data.workouts.created"; readonly data: HistoricalPull; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "historical.data.workout_stream.created"; readonly data: HistoricalPull; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "historical.data.meal.created"; readonly data: HistoricalPull; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "historical.data.electrocardiogram.created"; readonly data: HistoricalPull; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "historical.data.menstrual_cycle.created"; readonly data: HistoricalPull; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.steps.created"; readonly data: StepsBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.steps.updated"; readonly data: StepsBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.distance.created"; readonly data: DistanceBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.distance.updated"; readonly data: DistanceBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.calories_active.created"; readonly data: CaloriesActiveBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.calories_active.updated"; readonly data: CaloriesActiveBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.calories_basal.created"; readonly data: CaloriesBasalBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.calories_basal.updated"; readonly data: CaloriesBasalBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.floors_climbed.created"; readonly data: FloorsClimbedBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.floors_climbed.updated"; readonly data: FloorsClimbedBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.stand_duration.created"; readonly data: StandDurationBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.stand_duration.updated"; readonly data: StandDurationBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.daylight_exposure.created"; readonly data: DaylightExposureBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.daylight_exposure.updated"; readonly data: DaylightExposureBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.heartrate.created"; readonly data: HeartRateBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.heartrate.updated"; readonly data: HeartRateBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.hrv.created"; readonly data: HRVBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.hrv.updated"; readonly data: HRVBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.respiratory_rate.created"; readonly data: RespiratoryRateBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.respiratory_rate.updated"; readonly data: RespiratoryRateBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.blood_oxygen.created"; readonly data: BloodOxygenBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.blood_oxygen.updated"; readonly data: BloodOxygenBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.stress_level.created"; readonly data: StressLevelBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.stress_level.updated"; readonly data: StressLevelBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.glucose.created"; readonly data: GlucoseBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.glucose.updated"; readonly data: GlucoseBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.weight.created"; readonly data: BodyWeightBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.weight.updated"; readonly data: BodyWeightBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.fat.created"; readonly data: BodyFatBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.fat.updated"; readonly data: BodyFatBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.body_mass_index.created"; readonly data: BodyMassIndexBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.body_mass_index.updated"; readonly data: BodyMassIndexBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.lean_body_mass.created"; readonly data: LeanBodyMassBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.lean_body_mass.updated"; readonly data: LeanBodyMassBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.waist_circumference.created"; readonly data: WaistCircumferenceBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.waist_circumference.updated"; readonly data: WaistCircumferenceBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.blood_pressure.created"; readonly data: BloodPressureBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.blood_pressure.updated"; readonly data: BloodPressureBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.body_temperature.created"; readonly data: BodyTemperatureBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.body_temperature.updated"; readonly data: BodyTemperatureBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.body_temperature_delta.created"; readonly data: BodyTemperatureDeltaBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.body_temperature_delta.updated"; readonly data: BodyTemperatureDeltaBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.basal_body_temperature.created"; readonly data: BasalBodyTemperatureBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.basal_body_temperature.updated"; readonly data: BasalBodyTemperatureBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.water.created"; readonly data: WaterBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.water.updated"; readonly data: WaterBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.caffeine.created"; readonly data: CaffeineBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.caffeine.updated"; readonly data: CaffeineBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.carbohydrates.created"; readonly data: CarbohydratesBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.carbohydrates.updated"; readonly data: CarbohydratesBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.insulin_injection.created"; readonly data: InsulinInjectionBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.insulin_injection.updated"; readonly data: InsulinInjectionBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.note.created"; readonly data: NoteBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.note.updated"; readonly data: NoteBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.mindfulness_minutes.created"; readonly data: MindfulnessMinutesBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.mindfulness_minutes.updated"; readonly data: MindfulnessMinutesBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.handwashing.created"; readonly data: HandwashingBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.handwashing.updated"; readonly data: HandwashingBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.stand_hour.created"; readonly data: StandHourBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.stand_hour.updated"; readonly data: StandHourBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.uv_exposure.created"; readonly data: UVExposureBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.uv_exposure.updated"; readonly data: UVExposureBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.vo2_max.created"; readonly data: VO2MaxBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.vo2_max.updated"; readonly data: VO2MaxBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.heart_rate_recovery_one_minute.created"; readonly data: HeartRateRecoveryOneMinuteBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.heart_rate_recovery_one_minute.updated"; readonly data: HeartRateRecoveryOneMinuteBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.workout_distance.created"; readonly data: WorkoutDistanceBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.workout_distance.updated"; readonly data: WorkoutDistanceBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.workout_duration.created"; readonly data: WorkoutDurationBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.workout_duration.updated"; readonly data: WorkoutDurationBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.workout_swimming_stroke.created"; readonly data: WorkoutSwimmingStrokeBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.workout_swimming_stroke.updated"; readonly data: WorkoutSwimmingStrokeBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.electrocardiogram_voltage.created"; readonly data: ElectrocardiogramVoltageBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.electrocardiogram_voltage.updated"; readonly data: ElectrocardiogramVoltageBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.afib_burden.created"; readonly data: AFibBurdenBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.afib_burden.updated"; readonly data: AFibBurdenBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.heart_rate_alert.created"; readonly data: HeartRateAlertBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.heart_rate_alert.updated"; readonly data: HeartRateAlertBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.sleep_apnea_alert.created"; readonly data: SleepApneaAlertBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.sleep_apnea_alert.updated"; readonly data: SleepApneaAlertBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.sleep_breathing_disturbance.created"; readonly data: SleepBreathingDisturbanceBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.sleep_breathing_disturbance.updated"; readonly data: SleepBreathingDisturbanceBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.fall.created"; readonly data: FallBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.fall.updated"; readonly data: FallBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.wheelchair_push.created"; readonly data: WheelchairPushBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.wheelchair_push.updated"; readonly data: WheelchairPushBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.forced_expiratory_volume_1.created"; readonly data: ForcedExpiratoryVolume1Batch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.forced_expiratory_volume_1.updated"; readonly data: ForcedExpiratoryVolume1Batch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.forced_vital_capacity.created"; readonly data: ForcedVitalCapacityBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.forced_vital_capacity.updated"; readonly data: ForcedVitalCapacityBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.peak_expiratory_flow_rate.created"; readonly data: PeakExpiratoryFlowRateBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.peak_expiratory_flow_rate.updated"; readonly data: PeakExpiratoryFlowRateBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.inhaler_usage.created"; readonly data: InhalerUsageBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.inhaler_usage.updated"; readonly data: InhalerUsageBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.cholesterol.created"; readonly data: CholesterolBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.cholesterol.updated"; readonly data: CholesterolBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.ige.created"; readonly data: IgeBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.ige.updated"; readonly data: IgeBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.igg.created"; readonly data: IggBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.igg.updated"; readonly data: IggBatch; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.profile.created"; readonly data: Profile; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.profile.updated"; readonly data: Profile; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.activity.created"; readonly data: Activity; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.activity.updated"; readonly data: Activity; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.sleep.created"; readonly data: Sleep; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.sleep.updated"; readonly data: Sleep; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.sleep_cycle.created"; readonly data: SleepCycle; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.sleep_cycle.updated"; readonly data: SleepCycle; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.body.created"; readonly data: Body; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.body.updated"; readonly data: Body; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.workouts.created"; readonly data: Workout; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.workouts.updated"; readonly data: Workout; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.workout_stream.created"; readonly data: WorkoutStreamNotice; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.workout_stream.updated"; readonly data: WorkoutStreamNotice; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.meal.created"; readonly data: Meal; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.meal.updated"; readonly data: Meal; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.electrocardiogram.created"; readonly data: Electrocardiogram; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.electrocardiogram.updated"; readonly data: Electrocardiogram; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.menstrual_cycle.created"; readonly data: MenstrualCycle; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "daily.data.menstrual_cycle.updated"; readonly data: MenstrualCycle; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "continuous_query.result_table.changed"; readonly data: readonly (ContinuousQueryResultTableChangesItem)[]; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "lab_report.parsing_job.created"; readonly data: ParsingJob; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "lab_report.parsing_job.updated"; readonly data: ParsingJob; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "labtest.match_review.created"; readonly data: MatchReview; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "labtest.match_review.updated"; readonly data: MatchReview; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "labtest.order.created"; readonly data: Order; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "labtest.order.updated"; readonly data: Order; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "labtest.result.critical"; readonly data: CriticalResult; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "labtest.order_tracking.updated"; readonly data: OrderTracking; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "labtest.appointment.created"; readonly data: Appointment; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "labtest.appointment.updated"; readonly data: Appointment; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "checkout.quote.created"; readonly data: CheckoutQuote; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "checkout.session.created"; readonly data: CheckoutSession; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }
  | { readonly event_type: "checkout.session.updated"; readonly data: CheckoutSession; readonly team_id: string; readonly user_id: string; readonly client_user_id: string }

export type WebhookEventType = WebhookEvent['event_type']

export interface ConnectionCreated {
  readonly user_id: string
  readonly provider: ProviderName
  readonly source: ProviderName
  readonly external_user_id: string | null
  readonly resource_availability: Readonly<Record<string, ResourceAvailability>>
}

export interface ProviderName {
  readonly name: string
  readonly slug: string
  readonly logo: string
}

export interface ResourceAvailability {
  readonly status: "available" | "unavailable"
  readonly scope_requirements: ScopeGrants | null
}

export interface ScopeGrants {
  readonly user_granted: Scopes
  readonly user_denied: Scopes
}

export interface Scopes {
  readonly required: readonly (string)[]
  readonly optional: readonly (string)[]
}

export interface ConnectionFailed {
  readonly user_id: string
  readonly provider: string
  readonly error_type: "token_refresh_failed" | "webhook_registration_failed" | "user_not_found" | "deregistered_per_provider" | "required_scopes_not_granted" | "provider_credential_error" | "provider_password_expired" | "unknown"
  readonly error_details: string
  readonly message: string
}

export interface Device {
  readonly id: string
  readonly user_id: string
  readonly provider: string
  readonly source_type: "unknown" | "phone" | "watch" | "app" | "multiple_sources" | "fingerprick" | "cuff" | "manual_scan" | "automatic" | "insulin_pump" | "scale" | "chest_strap" | "ring" | "lab" | "exercise_machine" | "earphone"
  readonly app_id: string | null
  readonly device_manufacturer: string | null
  readonly device_model: string | null
  readonly device_version: string | null
  readonly device_id: string | null
}

export interface HistoricalPull {
  readonly user_id: string
  readonly start_date: string
  readonly end_date: string
  readonly is_final: boolean
  readonly provider: string
}

export interface StepsBatch {
  readonly source: Source
  readonly data: readonly (StepsSample)[]
  readonly source_id: number
  readonly user_id: string
}

export interface Source {
  readonly provider: string
  readonly type: string
  readonly app_id: string | null
  readonly device_id: string | null
  readonly sport: string | null
  readonly workout_id: string | null
  readonly name?: string
  readonly slug?: string
  readonly logo?: string
}

export interface StepsSample {
  readonly id: number | null
  readonly timezone_offset: number | null
  readonly type: string | null
  readonly unit: "count"
  readonly timestamp: string
  readonly start: string
  readonly end: string
  readonly value: number
}

export interface DistanceBatch {
  readonly source: Source
  readonly data: readonly (DistanceSample)[]
  readonly source_id: number
  readonly user_id: string
}

export interface DistanceSample {
  readonly id: number | null
  readonly timezone_offset: number | null
  readonly type: string | null
  readonly unit: "m"
  readonly timestamp: string
  readonly start: string
  readonly end: string
  readonly value: number
}

export interface CaloriesActiveBatch {
  readonly source: Source
  readonly data: readonly (CaloriesActiveSample)[]
  readonly source_id: number
  readonly user_id: string
}

export interface CaloriesActiveSample {
  readonly id: number | null
  readonly timezone_offset: number | null
  readonly type: string | null
  readonly unit: "kcal"
  readonly timestamp: string
  readonly start: string
  readonly end: string
  readonly value: number
}

export interface CaloriesBasalBatch {
  readonly source: Source
  readonly data: readonly (CaloriesBasalSample)[]
  readonly source_id: number
  readonly user_id: string
}

export interface CaloriesBasalSample {
  readonly id: number | null
  readonly timezone_offset: number | null
  readonly type: string | null
  readonly unit: "kcal"
  readonly timestamp: string
  readonly start: string
  readonly end: string
  readonly value: number
}

export interface FloorsClimbedBatch {
  readonly source: Source
  readonly data: readonly (FloorsClimbedSample)[]
  readonly source_id: number
  readonly user_id: string
}

export interface FloorsClimbedSample {
  readonly id: number | null
  readonly timezone_offset: number | null
  readonly type: string | null
  readonly unit: "count"
  readonly timestamp: string
  readonly start: string
  readonly end: string
  readonly value: number
}

export interface StandDurationBatch {
  readonly source: Source
  readonly data: readonly (StandDurationSample)[]
  readonly source_id: number
  readonly user_id: string
}

export interface StandDurationSample {
  readonly id: number | null
  readonly timezone_offset: number | null
  readonly type: string | null
  readonly unit: "min"
  readonly timestamp: string
  readonly start: string
  readonly end: string
  readonly value: number
}

export interface DaylightExposureBatch {
  readonly source: Source
  readonly data: readonly (DaylightExposureSample)[]
  readonly source_id: number
  readonly user_id: string
}

export interface DaylightExposureSample {
  readonly id: number | null
  readonly timezone_offset: number | null
  readonly type: string | null
  readonly unit: "min"
  readonly timestamp: string
  readonly start: string
  readonly end: string
  readonly value: number
}

export interface HeartRateBatch {
  readonly source: Source
  readonly data: readonly (HeartRateSample)[]
  readonly source_id: number
  readonly user_id: string
}

export interface HeartRateSample {
  readonly id: number | null
  readonly timezone_offset: number | null
  readonly type: string | null
  readonly unit: "bpm"
  readonly timestamp: string
  readonly value: number
}

export interface HRVBatch {
  readonly source: Source
  readonly data: readonly (HRVSample)[]
  readonly source_id: number
  readonly user_id: string
}

export interface HRVSample {
  readonly id: number | null
  readonly timezone_offset: number | null
  readonly type: string | null
  readonly unit: "rmssd"
  readonly timestamp: string
  readonly value: number
}

export interface RespiratoryRateBatch {
  readonly source: Source
  readonly data: readonly (RespiratoryRateSample)[]
  readonly source_id: number
  readonly user_id: string
}

export interface RespiratoryRateSample {
  readonly id: number | null
  readonly timezone_offset: number | null
  readonly type: string | null
  readonly unit: "bpm"
  readonly timestamp: string
  readonly value: number
}

export interface BloodOxygenBatch {
  readonly source: Source
  readonly data: readonly (BloodOxygenSample)[]
  readonly source_id: number
  readonly user_id: string
}

export interface BloodOxygenSample {
  readonly id: number | null
  readonly timezone_offset: number | null
  readonly type: string | null
  readonly unit: "%"
  readonly timestamp: string
  readonly value: number
}

export interface StressLevelBatch {
  readonly source: Source
  readonly data: readonly (StressLevelSample)[]
  readonly source_id: number
  readonly user_id: string
}

export interface StressLevelSample {
  readonly id: number | null
  readonly timezone_offset: number | null
  readonly type: string | null
  readonly unit: "%"
  readonly timestamp: string
  readonly value: number
}

export interface GlucoseBatch {
  readonly source: Source
  readonly data: readonly (GlucoseSample)[]
  readonly source_id: number
  readonly user_id: string
}

export interface GlucoseSample {
  readonly id: number | null
  readonly timezone_offset: number | null
  readonly type: string | null
  readonly unit: "mmol/L"
  readonly timestamp: string
  readonly value: number
}

export interface BodyWeightBatch {
  readonly source: Source
  readonly data: readonly (BodyWeightSample)[]
  readonly source_id: number
  readonly user_id: string
}

export interface BodyWeightSample {
  readonly id: number | null
  readonly timezone_offset: number | null
  readonly type: string | null
  readonly unit: "kg"
  readonly timestamp: string
  readonly value: number
}

export interface BodyFatBatch {
  readonly source: Source
  readonly data: readonly (BodyFatSample)[]
  readonly source_id: number
  readonly user_id: string
}

export interface BodyFatSample {
  readonly id: number | null
  readonly timezone_offset: number | null
  readonly type: string | null
  readonly unit: "%"
  readonly timestamp: string
  readonly value: number
}

export interface BodyMassIndexBatch {
  readonly source: Source
  readonly data: readonly (BodyMassIndexSample)[]
  readonly source_id: number
  readonly user_id: string
}

export interface BodyMassIndexSample {
  readonly id: number | null
  readonly timezone_offset: number | null
  readonly type: string | null
  readonly unit: "index"
  readonly timestamp: string
  readonly start: string
  readonly end: string
  readonly value: number
}

export interface LeanBodyMassBatch {
  readonly source: Source
  readonly data: readonly (LeanBodyMassSample)[]
  readonly source_id: number
  readonly user_id: string
}

export interface LeanBodyMassSample {
  readonly id: number | null
  readonly timezone_offset: number | null
  readonly type: string | null
  readonly unit: "kg"
  readonly timestamp: string
  readonly start: string
  readonly end: string
  readonly value: number
}

export interface WaistCircumferenceBatch {
  readonly source: Source
  readonly data: readonly (WaistCircumferenceSample)[]
  readonly source_id: number
  readonly user_id: string
}

export interface WaistCircumferenceSample {
  readonly id: number | null
  readonly timezone_offset: number | null
  readonly type: string | null
  readonly unit: "cm"
  readonly timestamp: string
  readonly start: string
  readonly end: string
  readonly value: number
}

export interface BloodPressureBatch {
  readonly source: Source
  readonly data: readonly (BloodPressureSample)[]
  readonly source_id: number
  readonly user_id: string
}

export interface BloodPressureSample {
  readonly id: number | null
  readonly timezone_offset: number | null
  readonly type: string | null
  readonly unit: "mmHg"
  readonly timestamp: string
  readonly systolic: number
  readonly diastolic: number
  readonly grouping?: readonly (string | null)[]
}

export interface BodyTemperatureBatch {
  readonly source: Source
  readonly data: readonly (BodyTemperatureSample)[]
  readonly source_id: number
  readonly user_id: string
}

export interface BodyTemperatureSample {
  readonly id: number | null
  readonly timezone_offset: number | null
  readonly type: string | null
  readonly unit: "°C"
  readonly timestamp: string
  readonly start: string
  readonly end: string
  readonly value: number
  readonly sensor_location: "armpit" | "body" | "ear" | "finger" | "gastrointestinal" | "mouth" | "rectum" | "toe" | "eardrum" | "temporal_artery" | "forehead" | "wrist" | null
}

export interface BodyTemperatureDeltaBatch {
  readonly source: Source
  readonly data: readonly (BodyTemperatureDeltaSample)[]
  readonly source_id: number
  readonly user_id: string
}

export interface BodyTemperatureDeltaSample {
  readonly id: number | null
  readonly timezone_offset: number | null
  readonly type: string | null
  readonly unit: "°C"
  readonly timestamp: string
  readonly start: string
  readonly end: string
  readonly value: number
  readonly sensor_location: "armpit" | "body" | "ear" | "finger" | "gastrointestinal" | "mouth" | "rectum" | "toe" | "eardrum" | "temporal_artery" | "forehead" | "wrist" | null
}

export interface BasalBodyTemperatureBatch {
  readonly source: Source
  readonly data: readonly (BasalBodyTemperatureSample)[]
  readonly source_id: number
  readonly user_id: string
}

export interface BasalBodyTemperatureSample {
  readonly id: number | null
  readonly timezone_offset: number | null
  readonly type: string | null
  readonly unit: "°C"
  readonly timestamp: string
  readonly start: string
  readonly end: string
  readonly value: number
}

export interface WaterBatch {
  readonly source: Source
  readonly data: readonly (WaterSample)[]
  readonly source_id: number
  readonly user_id: string
}

export interface WaterSample {
  readonly id: number | null
  readonly timezone_offset: number | null
  readonly type: string | null
  readonly unit: "ml"
  readonly timestamp: string
  readonly start: string
  readonly end: string
  readonly value: number
}

export interface CaffeineBatch {
  readonly source: Source
  readonly data: readonly (CaffeineSample)[]
  readonly source_id: number
  readonly user_id: string
}

export interface CaffeineSample {
  readonly id: number | null
  readonly timezone_offset: number | null
  readonly type: string | null
  readonly unit: "g"
  readonly timestamp: string
  readonly start: string
  readonly end: string
  readonly value: number
}

export interface CarbohydratesBatch {
  readonly source: Source
  readonly data: readonly (CarbohydratesSample)[]
  readonly source_id: number
  readonly user_id: string
}

export interface CarbohydratesSample {
  readonly id: number | null
  readonly timezone_offset: number | null
  readonly type: string | null
  readonly unit: "g"
  readonly timestamp: string
  readonly start: string
  readonly end: string
  readonly value: number
}

export interface InsulinInjectionBatch {
  readonly source: Source
  readonly data: readonly (InsulinInjectionSample)[]
  readonly source_id: number
  readonly user_id: string
}

export interface InsulinInjectionSample {
  readonly id: number | null
  readonly timezone_offset: number | null
  readonly type: "rapid_acting" | "long_acting"
  readonly unit: "unit"
  readonly timestamp: string
  readonly start: string
  readonly end: string
  readonly value: number
  readonly delivery_mode: "basal" | "bolus" | null
  readonly delivery_form: "standard" | "extended" | null
  readonly bolus_purpose: "meal" | "correction" | "mixed" | "unknown" | null
}

export interface NoteBatch {
  readonly source: Source
  readonly data: readonly (NoteSample)[]
  readonly source_id: number
  readonly user_id: string
}

export interface NoteSample {
  readonly id: number | null
  readonly timezone_offset: number | null
  readonly type: string | null
  readonly unit: "text"
  readonly timestamp: string
  readonly start: string
  readonly end: string
  readonly value: string
  readonly tags: readonly ("food" | "exercise" | "insulin_injection" | "unspecified")[] | null
}

export interface MindfulnessMinutesBatch {
  readonly source: Source
  readonly data: readonly (MindfulnessMinutesSample)[]
  readonly source_id: number
  readonly user_id: string
}

export interface MindfulnessMinutesSample {
  readonly id: number | null
  readonly timezone_offset: number | null
  readonly type: string | null
  readonly unit: "min"
  readonly timestamp: string
  readonly start: string
  readonly end: string
  readonly value: number
}

export interface HandwashingBatch {
  readonly source: Source
  readonly data: readonly (HandwashingSample)[]
  readonly source_id: number
  readonly user_id: string
}

export interface HandwashingSample {
  readonly id: number | null
  readonly timezone_offset: number | null
  readonly type: string | null
  readonly unit: "count"
  readonly timestamp: string
  readonly start: string
  readonly end: string
  readonly value: number
}

export interface StandHourBatch {
  readonly source: Source
  readonly data: readonly (StandHourSample)[]
  readonly source_id: number
  readonly user_id: string
}

export interface StandHourSample {
  readonly id: number | null
  readonly timezone_offset: number | null
  readonly type: "stood" | "idle"
  readonly unit: "count"
  readonly timestamp: string
  readonly start: string
  readonly end: string
  readonly value: number
}

export interface UVExposureBatch {
  readonly source: Source
  readonly data: readonly (UVExposureSample)[]
  readonly source_id: number
  readonly user_id: string
}

export interface UVExposureSample {
  readonly id: number | null
  readonly timezone_offset: number | null
  readonly type: string | null
  readonly unit: "index"
  readonly timestamp: string
  readonly start: string
  readonly end: string
  readonly value: number
}

export interface VO2MaxBatch {
  readonly source: Source
  readonly data: readonly (VO2MaxSample)[]
  readonly source_id: number
  readonly user_id: string
}

export interface VO2MaxSample {
  readonly id: number | null
  readonly timezone_offset: number | null
  readonly type: string | null
  readonly unit: "mL/kg/min"
  readonly timestamp: string
  readonly start: string
  readonly end: string
  readonly value: number
}

export interface HeartRateRecoveryOneMinuteBatch {
  readonly source: Source
  readonly data: readonly (HeartRateRecoveryOneMinuteSample)[]
  readonly source_id: number
  readonly user_id: string
}

export interface HeartRateRecoveryOneMinuteSample {
  readonly id: number | null
  readonly timezone_offset: number | null
  readonly type: string | null
  readonly unit: "count"
  readonly timestamp: string
  readonly start: string
  readonly end: string
  readonly value: number
}

export interface WorkoutDistanceBatch {
  readonly source: Source
  readonly data: readonly (WorkoutDistanceSample)[]
  readonly source_id: number
  readonly user_id: string
}

export interface WorkoutDistanceSample {
  readonly id: number | null
  readonly timezone_offset: number | null
  readonly type: string | null
  readonly unit: "m"
  readonly timestamp: string
  readonly start: string
  readonly end: string
  readonly value: number
}

export interface WorkoutDurationBatch {
  readonly source: Source
  readonly data: readonly (WorkoutDurationSample)[]
  readonly source_id: number
  readonly user_id: string
}

export interface WorkoutDurationSample {
  readonly id: number | null
  readonly timezone_offset: number | null
  readonly type: string | null
  readonly unit: "min"
  readonly timestamp: string
  readonly start: string
  readonly end: string
  readonly value: number
  readonly intensity: "low" | "medium" | "high" | null
}

export interface WorkoutSwimmingStrokeBatch {
  readonly source: Source
  readonly data: readonly (WorkoutSwimmingStrokeSample)[]
  readonly source_id: number
  readonly user_id: string
}

export interface WorkoutSwimmingStrokeSample {
  readonly id: number | null
  readonly timezone_offset: number | null
  readonly type: string | null
  readonly unit: "count"
  readonly timestamp: string
  readonly start: string
  readonly end: string
  readonly value: number
}

export interface ElectrocardiogramVoltageBatch {
  readonly source: Source
  readonly data: readonly (ElectrocardiogramVoltageSample)[]
  readonly source_id: number
  readonly user_id: string
}

export interface ElectrocardiogramVoltageSample {
  readonly id: number | null
  readonly timezone_offset: number | null
  readonly type: string
  readonly unit: "mV"
  readonly timestamp: string
  readonly value: number
}

export interface AFibBurdenBatch {
  readonly source: Source
  readonly data: readonly (AFibBurdenSample)[]
  readonly source_id: number
  readonly user_id: string
}

export interface AFibBurdenSample {
  readonly id: number | null
  readonly timezone_offset: number | null
  readonly type: string | null
  readonly unit: "%"
  readonly timestamp: string
  readonly start: string
  readonly end: string
  readonly value: number
}

export interface HeartRateAlertBatch {
  readonly source: Source
  readonly data: readonly (HeartRateAlertSample)[]
  readonly source_id: number
  readonly user_id: string
}

export interface HeartRateAlertSample {
  readonly id: number | null
  readonly timezone_offset: number | null
  readonly type: "low_heart_rate" | "high_heart_rate" | "irregular_rhythm"
  readonly unit: "count"
  readonly timestamp: string
  readonly start: string
  readonly end: string
  readonly value: number
}

export interface SleepApneaAlertBatch {
  readonly source: Source
  readonly data: readonly (SleepApneaAlertSample)[]
  readonly source_id: number
  readonly user_id: string
}

export interface SleepApneaAlertSample {
  readonly id: number | null
  readonly timezone_offset: number | null
  readonly type: string | null
  readonly unit: "count"
  readonly timestamp: string
  readonly start: string
  readonly end: string
  readonly value: number
}

export interface SleepBreathingDisturbanceBatch {
  readonly source: Source
  readonly data: readonly (SleepBreathingDisturbanceSample)[]
  readonly source_id: number
  readonly user_id: string
}

export interface SleepBreathingDisturbanceSample {
  readonly id: number | null
  readonly timezone_offset: number | null
  readonly type: "elevated" | "not_elevated" | null
  readonly unit: "count"
  readonly timestamp: string
  readonly start: string
  readonly end: string
  readonly value: number
}

export interface FallBatch {
  readonly source: Source
  readonly data: readonly (FallSample)[]
  readonly source_id: number
  readonly user_id: string
}

export interface FallSample {
  readonly id: number | null
  readonly timezone_offset: number | null
  readonly type: string | null
  readonly unit: "count"
  readonly timestamp: string
  readonly start: string
  readonly end: string
  readonly value: number
}

export interface WheelchairPushBatch {
  readonly source: Source
  readonly data: readonly (WheelchairPushSample)[]
  readonly source_id: number
  readonly user_id: string
}

export interface WheelchairPushSample {
  readonly id: number | null
  readonly timezone_offset: number | null
  readonly type: string | null
  readonly unit: "count"
  readonly timestamp: string
  readonly start: string
  readonly end: string
  readonly value: number
}

export interface ForcedExpiratoryVolume1Batch {
  readonly source: Source
  readonly data: readonly (ForcedExpiratoryVolume1Sample)[]
  readonly source_id: number
  readonly user_id: string
}

export interface ForcedExpiratoryVolume1Sample {
  readonly id: number | null
  readonly timezone_offset: number | null
  readonly type: string | null
  readonly unit: "L"
  readonly timestamp: string
  readonly start: string
  readonly end: string
  readonly value: number
}

export interface ForcedVitalCapacityBatch {
  readonly source: Source
  readonly data: readonly (ForcedVitalCapacitySample)[]
  readonly source_id: number
  readonly user_id: string
}

export interface ForcedVitalCapacitySample {
  readonly id: number | null
  readonly timezone_offset: number | null
  readonly type: string | null
  readonly unit: "L"
  readonly timestamp: string
  readonly start: string
  readonly end: string
  readonly value: number
}

export interface PeakExpiratoryFlowRateBatch {
  readonly source: Source
  readonly data: readonly (PeakExpiratoryFlowRateSample)[]
  readonly source_id: number
  readonly user_id: string
}

export interface PeakExpiratoryFlowRateSample {
  readonly id: number | null
  readonly timezone_offset: number | null
  readonly type: string | null
  readonly unit: "L/min"
  readonly timestamp: string
  readonly start: string
  readonly end: string
  readonly value: number
}

export interface InhalerUsageBatch {
  readonly source: Source
  readonly data: readonly (InhalerUsageSample)[]
  readonly source_id: number
  readonly user_id: string
}

export interface InhalerUsageSample {
  readonly id: number | null
  readonly timezone_offset: number | null
  readonly type: string | null
  readonly unit: "count"
  readonly timestamp: string
  readonly start: string
  readonly end: string
  readonly value: number
}

export interface CholesterolBatch {
  readonly source: Source
  readonly data: readonly (CholesterolSample)[]
  readonly source_id: number
  readonly user_id: string
}

export interface CholesterolSample {
  readonly id: number | null
  readonly timezone_offset: number | null
  readonly type: string
  readonly unit: "mmol/L"
  readonly timestamp: string
  readonly value: number
}

export interface IgeBatch {
  readonly source: Source
  readonly data: readonly (IgeSample)[]
  readonly source_id: number
  readonly user_id: string
}

export interface IgeSample {
  readonly id: number | null
  readonly timezone_offset: number | null
  readonly type: string
  readonly unit: "FSU"
  readonly timestamp: string
  readonly value: number
}

export interface IggBatch {
  readonly source: Source
  readonly data: readonly (IggSample)[]
  readonly source_id: number
  readonly user_id: string
}

export interface IggSample {
  readonly id: number | null
  readonly timezone_offset: number | null
  readonly type: string
  readonly unit: "FSU"
  readonly timestamp: string
  readonly value: number
}

export interface Profile {
  readonly id: string
  readonly user_id: string
  readonly height: number | null
  readonly birth_date: string | null
  readonly wheelchair_use: boolean | null
  readonly gender: "female" | "male" | "other" | "unknown" | null
  readonly sex: "female" | "male" | "other" | null
  readonly source: Source
  readonly created_at: string
  readonly updated_at: string
}

export interface Activity {
  readonly id: string
  readonly user_id: string
  readonly date: string
  readonly calendar_date: string
  readonly calories_total: number | null
  readonly calories_active: number | null
  readonly steps: number | null
  readonly daily_movement?: number | null
  readonly distance: number | null
  readonly low: number | null
  readonly medium: number | null
  readonly high: number | null
  readonly source: Source
  readonly floors_climbed: number | null
  readonly time_zone: string | null
  readonly timezone_offset: number | null
  readonly heart_rate: HeartRate | null
  readonly wheelchair_use: boolean | null
  readonly wheelchair_push: number | null
  readonly created_at: string
  readonly updated_at: string
}

export interface HeartRate {
  readonly avg_bpm: number | null
  readonly min_bpm: number | null
  readonly max_bpm: number | null
  readonly resting_bpm: number | null
  readonly avg_walking_bpm: number | null
}

export interface Sleep {
  readonly id: string
  readonly user_id: string
  readonly date: string
  readonly calendar_date: string
  readonly bedtime_start: string
  readonly bedtime_stop: string
  readonly type: "long_sleep" | "short_sleep" | "acknowledged_nap" | "unknown"
  readonly timezone_offset: number | null
  readonly duration: number
  readonly total: number
  readonly awake: number
  readonly light: number
  readonly rem: number
  readonly deep: number
  readonly score: number | null
  readonly recovery_readiness_score: number | null
  readonly hr_lowest: number | null
  readonly hr_average: number | null
  readonly hr_resting: number | null
  readonly efficiency: number | null
  readonly latency: number | null
  readonly temperature_delta: number | null
  readonly skin_temperature: number | null
  readonly hr_dip: number | null
  readonly state: "tentative" | "confirmed" | null
  readonly average_hrv: number | null
  readonly respiratory_rate: number | null
  readonly stage_asleep_second: number | null
  readonly stage_awake_second: number | null
  readonly stage_light_second: number | null
  readonly stage_rem_second: number | null
  readonly stage_deep_second: number | null
  readonly source: Source
  readonly sleep_stream?: SleepSleepStream | null
  readonly created_at: string
  readonly updated_at: string
}

export interface SleepSleepStream {
  readonly hrv: readonly (HRVSample)[] | null
  readonly heartrate: readonly (HeartRateSample)[] | null
  readonly hypnogram: readonly (HypnogramSample)[] | null
  readonly respiratory_rate: readonly (RespiratoryRateSample)[] | null
}

export interface HypnogramSample {
  readonly id: number | null
  readonly timezone_offset: number | null
  readonly type: string | null
  readonly unit: "stage"
  readonly timestamp: string
  readonly start: string
  readonly end: string
  readonly value: number
}

export interface SleepCycle {
  readonly id: string
  readonly user_id: string
  readonly sleep_id: string
  readonly session_start: string
  readonly session_end: string
  readonly stage_start_offset_second: readonly (number)[]
  readonly stage_end_offset_second: readonly (number)[]
  readonly stage_type: readonly (unknown)[]
  readonly time_zone: string | null
  readonly source_provider: "oura" | "fitbit" | "garmin" | "whoop" | "strava" | "renpho" | "peloton" | "wahoo" | "zwift" | "freestyle_libre" | "abbott_libreview" | "tandem_source" | "freestyle_libre_ble" | "eight_sleep" | "withings" | "apple_health_kit" | "manual" | "ihealth" | "google_fit" | "beurer_api" | "beurer_ble" | "omron" | "omron_ble" | "onetouch_ble" | "accuchek_ble" | "contour_ble" | "dexcom" | "dexcom_v3" | "hammerhead" | "my_fitness_pal" | "health_connect" | "samsung_health" | "polar" | "cronometer" | "kardia" | "whoop_v2" | "ultrahuman" | "my_fitness_pal_v2" | "map_my_fitness" | "runkeeper" | "google_health" | "ayumetrix" | "spiriplex" | "ussl" | "quest" | "sonora_quest" | "labcorp" | "bioreference" | "us_biotek" | "sanocardio" | "ihd" | "nexus" | "my_uti" | "crl" | "mtl"
  readonly source_type: "unknown" | "phone" | "watch" | "app" | "multiple_sources" | "fingerprick" | "cuff" | "manual_scan" | "automatic" | "insulin_pump" | "scale" | "chest_strap" | "ring" | "lab" | "exercise_machine" | "earphone"
  readonly source_app_id: string | null
  readonly source_device_id: string | null
  readonly source: Source
  readonly created_at: string
  readonly updated_at: string
}

export interface Body {
  readonly id: string
  readonly user_id: string
  readonly date: string
  readonly calendar_date: string
  readonly weight: number | null
  readonly fat: number | null
  readonly water_percentage: number | null
  readonly muscle_mass_percentage: number | null
  readonly visceral_fat_index: number | null
  readonly bone_mass_percentage: number | null
  readonly body_mass_index: number | null
  readonly lean_body_mass_kilogram: number | null
  readonly waist_circumference_centimeter: number | null
  readonly source: Source
  readonly created_at: string
  readonly updated_at: string
}

export interface Workout {
  readonly id: string
  readonly user_id: string
  readonly title: string | null
  readonly timezone_offset: number | null
  readonly average_hr: number | null
  readonly max_hr: number | null
  readonly distance: number | null
  readonly calendar_date: string
  readonly time_start: string
  readonly time_end: string
  readonly calories: number | null
  readonly sport: Sport
  readonly hr_zones: readonly (number)[] | null
  readonly moving_time: number | null
  readonly total_elevation_gain: number | null
  readonly elev_high: number | null
  readonly elev_low: number | null
  readonly average_speed: number | null
  readonly max_speed: number | null
  readonly average_watts: number | null
  readonly device_watts: number | null
  readonly max_watts: number | null
  readonly weighted_average_watts: number | null
  readonly steps: number | null
  readonly map: WorkoutMap | null
  readonly provider_id: string
  readonly user_key: string
  readonly source: Source
  readonly created_at: string
  readonly updated_at: string
}

export interface Sport {
  readonly id: number
  readonly name: string
  readonly slug: string
}

export interface WorkoutMap {
  readonly id: string
  readonly polyline: string | null
  readonly summary_polyline: string | null
}

export interface WorkoutStreamNotice {
  readonly user_id: string
  readonly workout_id: string
  readonly provider_id: string
  readonly message: string
  readonly source: Source
  readonly sport: Sport
}

export interface Meal {
  readonly id: string
  readonly user_id: string
  readonly priority_id: number
  readonly source_id: number
  readonly provider_id: string
  readonly timestamp: string
  readonly calendar_date: string
  readonly name: string
  readonly energy: Energy | null
  readonly macros: Macros | null
  readonly micros: Micros | null
  readonly data: Readonly<Record<string, Food>>
  readonly source: Source
  readonly created_at: string
  readonly updated_at: string
  readonly source_app_id: string | null
  readonly source_device_id: string | null
}

export interface Energy {
  readonly unit: "kcal"
  readonly value: number
}

export interface Macros {
  readonly carbs: number | null
  readonly protein: number | null
  readonly fats: MacrosFats
  readonly alcohol: number | null
  readonly water: number | null
  readonly fibre: number | null
  readonly sugar: number | null
  readonly cholesterol: number | null
}

export interface MacrosFats {
  readonly saturated: number | null
  readonly monounsaturated: number | null
  readonly polyunsaturated: number | null
  readonly omega3: number | null
  readonly omega6: number | null
  readonly total: number | null
}

export interface Micros {
  readonly minerals: Readonly<Record<string, number>> | null
  readonly trace_elements: Readonly<Record<string, number>> | null
  readonly vitamins: Readonly<Record<string, number>> | null
}

export interface Food {
  readonly energy: Energy
  readonly macros: Macros
  readonly micros: Micros
}

export interface Electrocardiogram {
  readonly id: string
  readonly user_id: string
  readonly source_provider: "oura" | "fitbit" | "garmin" | "whoop" | "strava" | "renpho" | "peloton" | "wahoo" | "zwift" | "freestyle_libre" | "abbott_libreview" | "tandem_source" | "freestyle_libre_ble" | "eight_sleep" | "withings" | "apple_health_kit" | "manual" | "ihealth" | "google_fit" | "beurer_api" | "beurer_ble" | "omron" | "omron_ble" | "onetouch_ble" | "accuchek_ble" | "contour_ble" | "dexcom" | "dexcom_v3" | "hammerhead" | "my_fitness_pal" | "health_connect" | "samsung_health" | "polar" | "cronometer" | "kardia" | "whoop_v2" | "ultrahuman" | "my_fitness_pal_v2" | "map_my_fitness" | "runkeeper" | "google_health" | "ayumetrix" | "spiriplex" | "ussl" | "quest" | "sonora_quest" | "labcorp" | "bioreference" | "us_biotek" | "sanocardio" | "ihd" | "nexus" | "my_uti" | "crl" | "mtl"
  readonly source_type: "unknown" | "phone" | "watch" | "app" | "multiple_sources" | "fingerprick" | "cuff" | "manual_scan" | "automatic" | "insulin_pump" | "scale" | "chest_strap" | "ring" | "lab" | "exercise_machine" | "earphone"
  readonly source_app_id: string | null
  readonly source_device_id: string | null
  readonly source: Source
  readonly created_at: string
  readonly updated_at: string
  readonly session_start: string
  readonly session_end: string
  readonly voltage_sample_count: number
  readonly heart_rate_mean: number | null
  readonly sampling_frequency_hz: number | null
  readonly classification: "sinus_rhythm" | "atrial_fibrillation" | "inconclusive" | null
  readonly inconclusive_cause: "high_heart_rate" | "low_heart_rate" | "poor_reading" | null
  readonly algorithm_version: string | null
  readonly time_zone: string | null
  readonly source_device_model: string | null
}

export interface MenstrualCycle {
  readonly id: string
  readonly user_id: string
  readonly source_provider: "oura" | "fitbit" | "garmin" | "whoop" | "strava" | "renpho" | "peloton" | "wahoo" | "zwift" | "freestyle_libre" | "abbott_libreview" | "tandem_source" | "freestyle_libre_ble" | "eight_sleep" | "withings" | "apple_health_kit" | "manual" | "ihealth" | "google_fit" | "beurer_api" | "beurer_ble" | "omron" | "omron_ble" | "onetouch_ble" | "accuchek_ble" | "contour_ble" | "dexcom" | "dexcom_v3" | "hammerhead" | "my_fitness_pal" | "health_connect" | "samsung_health" | "polar" | "cronometer" | "kardia" | "whoop_v2" | "ultrahuman" | "my_fitness_pal_v2" | "map_my_fitness" | "runkeeper" | "google_health" | "ayumetrix" | "spiriplex" | "ussl" | "quest" | "sonora_quest" | "labcorp" | "bioreference" | "us_biotek" | "sanocardio" | "ihd" | "nexus" | "my_uti" | "crl" | "mtl"
  readonly source_type: "unknown" | "phone" | "watch" | "app" | "multiple_sources" | "fingerprick" | "cuff" | "manual_scan" | "automatic" | "insulin_pump" | "scale" | "chest_strap" | "ring" | "lab" | "exercise_machine" | "earphone"
  readonly source_app_id: string | null
  readonly source_device_id: string | null
  readonly source: Source
  readonly created_at: string
  readonly updated_at: string
  readonly period_start: string
  readonly period_end: string | null
  readonly cycle_end: string | null
  readonly is_predicted: boolean
  readonly menstrual_flow: readonly (MenstrualCycleMenstrualFlowItem)[]
  readonly cervical_mucus: readonly (MenstrualCycleCervicalMucusItem)[]
  readonly intermenstrual_bleeding: readonly (MenstrualCycleIntermenstrualBleedingItem)[]
  readonly contraceptive: readonly (MenstrualCycleContraceptiveItem)[]
  readonly detected_deviations: readonly (MenstrualCycleDetectedDeviationsItem)[]
  readonly ovulation_test: readonly (MenstrualCycleOvulationTestItem)[]
  readonly home_pregnancy_test: readonly (MenstrualCycleHomePregnancyTestItem)[]
  readonly home_progesterone_test: readonly (MenstrualCycleHomeProgesteroneTestItem)[]
  readonly sexual_activity: readonly (MenstrualCycleSexualActivityItem)[]
  readonly basal_body_temperature: readonly (MenstrualCycleBasalBodyTemperatureItem)[]
}

export interface MenstrualCycleMenstrualFlowItem {
  readonly date: string
  readonly flow: "unspecified" | "none" | "light" | "medium" | "heavy"
}

export interface MenstrualCycleCervicalMucusItem {
  readonly date: string
  readonly quality: "dry" | "sticky" | "creamy" | "watery" | "egg_white"
}

export interface MenstrualCycleIntermenstrualBleedingItem {
  readonly date: string
}

export interface MenstrualCycleContraceptiveItem {
  readonly date: string
  readonly type: "unspecified" | "implant" | "injection" | "iud" | "intravaginal_ring" | "oral" | "patch"
}

export interface MenstrualCycleDetectedDeviationsItem {
  readonly date: string
  readonly deviation: "persistent_intermenstrual_bleeding" | "prolonged_menstrual_periods" | "irregular_menstrual_cycles" | "infrequent_menstrual_cycles"
}

export interface MenstrualCycleOvulationTestItem {
  readonly date: string
  readonly test_result: "negative" | "positive" | "luteinizing_hormone_surge" | "estrogen_surge" | "indeterminate"
}

export interface MenstrualCycleHomePregnancyTestItem {
  readonly date: string
  readonly test_result: "negative" | "positive" | "indeterminate"
}

export interface MenstrualCycleHomeProgesteroneTestItem {
  readonly date: string
  readonly test_result: "negative" | "positive" | "indeterminate"
}

export interface MenstrualCycleSexualActivityItem {
  readonly date: string
  readonly protection_used: boolean | null
}

export interface MenstrualCycleBasalBodyTemperatureItem {
  readonly date: string
  readonly value: number
}

export interface ContinuousQueryResultTableChangesItem {
  readonly query_id: string
  readonly query_slug: string
  readonly data: Readonly<Record<string, readonly (unknown)[]>>
}

export interface ParsingJob {
  readonly id: string
  readonly job_id: string
  readonly status: "upload_pending" | "started" | "completed" | "failed" | "pending_review"
  readonly failure_reason: "invalid_input" | "low_quality" | "not_english" | "too_many_pages" | "processing_error" | null
  readonly data: ParsedReport | null
  readonly needs_human_review: boolean
  readonly is_reviewed: boolean
}

export interface ParsedReport {
  readonly metadata: ReportMetadata
  readonly results: readonly (ParsedResult)[]
}

export interface ReportMetadata {
  readonly patient_first_name: string | null
  readonly patient_last_name: string | null
  readonly dob: string | null
  readonly gender: "male" | "female" | "other"
  readonly lab_name: string | null
  readonly date_reported: string | null
  readonly date_collected: string | null
  readonly specimen_number: string | null
}

export interface ParsedResult {
  readonly test_name: string
  readonly value: string
  readonly type: "numeric" | "range" | "comment" | "boolean" | "duration" | "percentage" | "ratio" | null
  readonly units: string | null
  readonly min_reference_range: number | null
  readonly max_reference_range: number | null
  readonly source_panel_name: string | null
  readonly sample_type: "urine" | "serum_plasma_blood" | "capillary_blood" | "stool" | "saliva" | "other" | "unknown"
  readonly measurement_kind: "direct" | "calculated" | "ratio" | "unknown"
  readonly sensitivity: "sensitive" | "insensitive" | "unknown"
  readonly interpretation: "normal" | "abnormal" | "critical" | "unknown" | null
  readonly is_above_max_range: boolean | null
  readonly is_below_min_range: boolean | null
  readonly loinc_match_status: "auto_match" | "needs_review" | "no_match" | null
  readonly loinc_matches: readonly (LoincMatch)[] | null
}

export interface LoincMatch {
  readonly loinc_code: string
  readonly loinc_name: string
  readonly display_name: string
  readonly aliases: readonly (string)[]
  readonly confidence_score: number
}

export interface MatchReview {
  readonly id: string
  readonly status: "matched" | "pending_customer_review" | "pending_customer_review:in_progress" | "pending_ops_review" | "resolved"
  readonly decision_code: "match_sample_id" | "match_completed" | "match_cancelled" | "wrong_collection" | "wrong_lab" | "multiple_demo_match" | "match_sample_id_mismatch_demo" | "match_demo" | "no_match"
  readonly sub_reason_codes: readonly ("lab_account_mismatch")[]
  readonly resolution_action: "accept" | "reject" | "unsure" | null
  readonly resolved_user_id: string | null
  readonly resolved_order_id: string | null
}

export interface Order {
  readonly user_id: string
  readonly id: string
  readonly team_id: string
  readonly patient_details: PatientDetails | null
  readonly patient_address: PatientAddress | null
  readonly lab_test: OrderedLabTest
  readonly details: unknown
  readonly sample_id: string | null
  readonly notes: string | null
  readonly clinical_notes: string | null
  readonly created_at: string
  readonly updated_at: string
  readonly events: readonly (OrderEvent)[]
  readonly status: "received" | "collecting_sample" | "sample_with_lab" | "completed" | "cancelled" | "failed" | null
  readonly last_event: OrderEvent
  readonly physician: Physician | null
  readonly health_insurance_id: string | null
  readonly health_insurace_id?: string | null
  readonly requisition_form_url: string | null
  readonly priority: boolean
  readonly shipping_details: ShippingDetails | null
  readonly activate_by: string | null
  readonly passthrough: string | null
  readonly billing_type: "client_bill" | "commercial_insurance" | "patient_bill_passthrough" | "patient_bill" | "upfront_payment"
  readonly icd_codes: readonly (string)[] | null
  readonly has_abn: boolean
  readonly interpretation: "normal" | "abnormal" | "critical" | "unknown" | null
  readonly has_missing_results: boolean | null
  readonly expected_result_by_date: string | null
  readonly worst_case_result_by_date: string | null
  readonly origin: "initial" | "redraw" | "recreation" | null
  readonly order_transaction: OrderTransaction | null
  readonly lab_account_id: string | null
}

export interface PatientDetails {
  readonly first_name: string | null
  readonly last_name: string | null
  readonly dob: string
  readonly gender: string
  readonly phone_number: string | null
  readonly email: string | null
  readonly medical_proxy: MedicalProxy | null
  readonly race: "african_american_or_black" | "asian" | "indigenous_native_american_alaska_native" | "other" | "pacific_islander_or_hawaiian" | "white_caucasian" | null
  readonly ethnicity: "hispanic" | "non_hispanic" | "ashkenazi_jewish" | "other" | null
  readonly sexual_orientation: "lesbian_gay_or_homosexual" | "heterosexual_or_straight" | "bisexual" | "dont_know" | "other" | null
  readonly gender_identity: "male" | "female" | "female_to_male_ftm_transgender_male_trans_man" | "male_to_female_mtf_transgender_female_trans_woman" | "genderqueer" | "other" | null
}

export interface MedicalProxy {
  readonly first_name: string
  readonly last_name: string
  readonly address: Address
  readonly phone_number: string
  readonly household_income?: number | null
  readonly household_size?: number | null
  readonly email?: string | null
}

export interface Address {
  readonly first_line: string
  readonly second_line: string | null
  readonly country: string
  readonly zip: string
  readonly city: string
  readonly state: string
  readonly access_notes: string | null
}

export interface PatientAddress {
  readonly receiver_name: string
  readonly first_line: string
  readonly second_line: string | null
  readonly city: string
  readonly state: string
  readonly zip: string
  readonly country: string
  readonly access_notes: string | null
  readonly phone_number: string | null
}

export interface OrderedLabTest {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly sample_type: "dried_blood_spot" | "arm_collector" | "serum" | "saliva" | "urine" | "stool"
  readonly method: "testkit" | "walk_in_test" | "at_home_phlebotomy" | "on_site_collection"
  readonly price: number
  readonly is_active: boolean
  readonly status: "active" | "pending_approval" | "inactive"
  readonly fasting: boolean
  readonly lab: Lab | null
  readonly markers: readonly (Marker)[] | null
  readonly is_delegated: boolean
  readonly auto_generated: boolean
  readonly has_collection_instructions: boolean | null
  readonly common_tat_days: number | null
  readonly worst_case_tat_days: number | null
  readonly description?: string | null
}

export interface Lab {
  readonly id: number
  readonly slug: string
  readonly name: string
  readonly first_line_address: string
  readonly city: string
  readonly zipcode: string
  readonly collection_methods: readonly ("testkit" | "walk_in_test" | "at_home_phlebotomy" | "on_site_collection")[]
  readonly sample_types: readonly ("dried_blood_spot" | "arm_collector" | "serum" | "saliva" | "urine" | "stool")[]
  readonly logo_url: string | null
}

export interface Marker {
  readonly id: number
  readonly name: string
  readonly slug: string
  readonly description: string | null
  readonly lab_id: number | null
  readonly provider_id: string | null
  readonly type: "biomarker" | "panel" | null
  readonly unit: string | null
  readonly price: string | null
  readonly aoe: Aoe | null
  readonly a_la_carte_enabled: boolean
  readonly common_tat_days: number | null
  readonly worst_case_tat_days: number | null
  readonly is_orderable: boolean | null
}

export interface Aoe {
  readonly questions: readonly (AoeQuestion)[]
}

export interface AoeQuestion {
  readonly id: number
  readonly required: boolean
  readonly code: string
  readonly value: string
  readonly type: "choice" | "text" | "numeric" | "multi_choice"
  readonly sequence: number
  readonly answers: readonly (AoeQuestionAnswersItem)[]
  readonly constraint: string | null
  readonly default: string | null
}

export interface AoeQuestionAnswersItem {
  readonly id: number
  readonly code: string
  readonly value: string
}

export interface OrderEvent {
  readonly id: number
  readonly created_at: string
  readonly status: "received.testkit.ordered" | "received.testkit.requisition_created" | "received.testkit.requisition_bypassed" | "failed.testkit.sample_error" | "cancelled.testkit.cancelled" | "completed.testkit.completed" | "completed.testkit.corrected" | "received.testkit.awaiting_registration" | "received.testkit.testkit_registered" | "collecting_sample.testkit.transit_customer" | "collecting_sample.testkit.out_for_delivery" | "collecting_sample.testkit.with_customer" | "collecting_sample.testkit.transit_lab" | "collecting_sample.testkit.problem_in_transit_customer" | "collecting_sample.testkit.problem_in_transit_lab" | "sample_with_lab.testkit.delivered_to_lab" | "sample_with_lab.testkit.lab_processing_blocked" | "failed.testkit.failure_to_deliver_to_customer" | "failed.testkit.failure_to_deliver_to_lab" | "failed.testkit.lost" | "cancelled.testkit.do_not_process" | "received.walk_in_test.ordered" | "received.walk_in_test.requisition_created" | "received.walk_in_test.requisition_bypassed" | "failed.walk_in_test.sample_error" | "cancelled.walk_in_test.cancelled" | "completed.walk_in_test.completed" | "completed.walk_in_test.corrected" | "collecting_sample.walk_in_test.appointment_pending" | "collecting_sample.walk_in_test.appointment_scheduled" | "collecting_sample.walk_in_test.appointment_cancelled" | "sample_with_lab.walk_in_test.partial_results" | "collecting_sample.walk_in_test.redraw_available" | "received.at_home_phlebotomy.ordered" | "received.at_home_phlebotomy.requisition_created" | "received.at_home_phlebotomy.requisition_bypassed" | "failed.at_home_phlebotomy.sample_error" | "cancelled.at_home_phlebotomy.cancelled" | "completed.at_home_phlebotomy.completed" | "completed.at_home_phlebotomy.corrected" | "collecting_sample.at_home_phlebotomy.appointment_pending" | "collecting_sample.at_home_phlebotomy.appointment_scheduled" | "collecting_sample.at_home_phlebotomy.appointment_cancelled" | "sample_with_lab.at_home_phlebotomy.partial_results" | "collecting_sample.at_home_phlebotomy.draw_completed" | "received.on_site_collection.ordered" | "received.on_site_collection.requisition_created" | "received.on_site_collection.requisition_bypassed" | "failed.on_site_collection.sample_error" | "cancelled.on_site_collection.cancelled" | "completed.on_site_collection.completed" | "completed.on_site_collection.corrected" | "sample_with_lab.on_site_collection.draw_completed" | "sample_with_lab.on_site_collection.partial_results" | "received.testkit.registered" | "collecting_sample.on_site_collection.draw_completed"
  readonly status_detail: "fulfillment_error" | "date_of_collection_unspecified" | "demographic_information_unspecified" | "demographic_information_mismatch" | "sample_quantity_not_sufficient" | "sample_contaminated" | "sample_stability_exceeded" | "sample_hemolyzed" | "sample_improper_collection" | "sample_damaged_in_transit" | "sample_integrity_compromised" | "sample_not_provided" | "consent_missing" | "lab_not_certified_for_state" | "collection_device_expired" | "kit_not_registered" | "collection_site_unrecognised" | "rejected_on_request" | null
}

export interface Physician {
  readonly first_name: string
  readonly last_name: string
  readonly npi: string
}

export interface ShippingDetails {
  readonly receiver_name: string
  readonly first_line: string
  readonly second_line: string | null
  readonly city: string
  readonly state: string
  readonly zip: string
  readonly country: string
  readonly phone_number: string
}

export interface OrderTransaction {
  readonly id: string
  readonly status: "active" | "completed" | "cancelled"
  readonly orders: readonly (OrderInTransaction)[]
}

export interface OrderInTransaction {
  readonly id: string
  readonly low_level_status: "ordered" | "requisition_created" | "requisition_bypassed" | "transit_customer" | "out_for_delivery" | "with_customer" | "transit_lab" | "delivered_to_lab" | "completed" | "failure_to_deliver_to_lab" | "failure_to_deliver_to_customer" | "problem_in_transit_lab" | "problem_in_transit_customer" | "sample_error" | "appointment_scheduled" | "appointment_cancelled" | "appointment_pending" | "draw_completed" | "cancelled" | "lost" | "do_not_process" | "partial_results" | "awaiting_registration" | "registered" | "redraw_available" | "corrected" | "lab_processing_blocked" | null
  readonly low_level_status_created_at: string | null
  readonly origin: "initial" | "redraw" | "recreation" | null
  readonly parent_id: string | null
  readonly created_at: string
  readonly updated_at: string
}

export interface CriticalResult {
  readonly order_id: string
  readonly sample_id: string
  readonly status: "final" | "partial"
  readonly interpretation: "normal" | "abnormal" | "critical" | "unknown"
  readonly team_id: string
  readonly user_id: string
  readonly created_at: string
  readonly updated_at: string
}

export interface OrderTracking {
  readonly order_id: string
  readonly expected_at: OrderTrackingExpectedAt
  readonly collected_at: OrderTrackingCollectedAt | null
  readonly markers: readonly (TrackedMarker)[]
  readonly updates: readonly (OrderTrackingUpdate)[]
}

export interface OrderTrackingExpectedAt {
  readonly final_results: ResultEstimate
}

export interface ResultEstimate {
  readonly original_estimate: string | null
  readonly current_estimate: string | null
}

export interface OrderTrackingCollectedAt {
  readonly collected_at: string
  readonly is_inferred: boolean
  readonly inferred_from: "lab_arrival" | "lab_accessioning" | "scheduled_appointment" | "dispatch_date" | null
}

export interface TrackedMarker {
  readonly id: number
  readonly name: string
  readonly provider_id: string | null
  readonly slug: string
  readonly status: "pending" | "incomplete" | "resulted"
  readonly expected_at: ResultEstimate
  readonly results: readonly (TrackedMarkerResultsItem)[]
}

export interface TrackedMarkerResultsItem {
  readonly id: number | null
  readonly name: string
  readonly slug: string
  readonly provider_id: string | null
}

export interface OrderTrackingUpdate {
  readonly created_at: string
  readonly reason: string | null
  readonly revised_estimate: string | null
  readonly impacted_markers: readonly (OrderTrackingUpdateImpactedMarkersItem)[]
  readonly source: "lab" | "junction" | "patient"
}

export interface OrderTrackingUpdateImpactedMarkersItem {
  readonly id: number
  readonly name: string
  readonly provider_id: string | null
  readonly estimates: ResultEstimate
}

export interface Appointment {
  readonly id: string
  readonly user_id: string
  readonly order_id: string
  readonly order_transaction_id: string | null
  readonly address: USAddress
  readonly location: LngLat
  readonly start_at: string | null
  readonly end_at: string | null
  readonly iana_timezone: string | null
  readonly type: "phlebotomy" | "patient_service_center"
  readonly provider: "getlabs" | "phlebfinders" | "quest" | "sonora_quest"
  readonly status: "confirmed" | "pending" | "reserved" | "in_progress" | "completed" | "cancelled"
  readonly provider_id: string
  readonly external_id: string | null
  readonly can_reschedule: boolean
  readonly appointment_notes: string | null
  readonly event_status: "pending" | "reserved" | "scheduled" | "completed" | "cancelled" | "in_progress"
  readonly event_data: Readonly<Record<string, unknown>> | null
  readonly events: readonly (ClientFacingAppointmentEvent)[]
}

export interface USAddress {
  readonly first_line: string
  readonly second_line: string | null
  readonly city: string
  readonly state: string
  readonly zip_code: string
  readonly country: string
  readonly unit: string | null
  readonly access_notes: string | null
}

export interface LngLat {
  readonly lng: number
  readonly lat: number
}

export interface ClientFacingAppointmentEvent {
  readonly created_at: string
  readonly status: "pending" | "reserved" | "scheduled" | "completed" | "cancelled" | "in_progress"
  readonly data: Readonly<Record<string, unknown>> | null
}

export interface CheckoutQuote {
  readonly id: string
  readonly parent_id: string | null
  readonly created_at: string
  readonly expires_at: string
  readonly modality: "testkit" | "walk_in_test" | "at_home_phlebotomy" | "on_site_collection"
  readonly priority: boolean
  readonly us_state: string
  readonly order_set: QuotedOrderSet
  readonly walk_in_collection_networks: readonly ("quest" | "sonora_quest" | "labcorp" | "bioreference")[]
  readonly line_items: readonly (CheckoutQuoteLineItemsItem)[]
}

export interface QuotedOrderSet {
  readonly lab_test_ids: readonly (string)[] | null
  readonly add_on: QuotedAddOn | null
  readonly lab_account_id: string | null
  readonly parameters: QuotedOrderSetParameters | null
}

export interface QuotedAddOn {
  readonly marker_ids: readonly (number)[] | null
  readonly provider_ids: readonly (string)[] | null
}

export interface QuotedOrderSetParameters {
  readonly fasting: "fasting_required" | "fasting_not_required" | null
}

export interface CheckoutQuoteLineItemsItem {
  readonly code: "lab_test_fee" | "draw_fee"
  readonly amount_minor: number
  readonly currency: "USD"
}

export interface CheckoutSession {
  readonly checkout_session_id: string
  readonly status: "unpaid" | "paid" | "expired" | "cancelled"
  readonly pay_before: string
  readonly payment_resource_id: string | null
  readonly order_id: string | null
  readonly order_transaction_id: string | null
  readonly appointment_hold_status: "pending" | "held" | "failed" | null
  readonly appointment_id: string | null
  readonly payment_resource_url: string | null
  readonly payment_resource_client_secret: string | null
}
