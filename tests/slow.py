"""What the inner loop (`make check`) leaves to the whole run (`make test`), and why.

An entry is the start of a test's name: a folder, a file, a function, or one case of it. Whole files
are not even read. What takes more than about a fifth of a second belongs here, and grids of cases
of which another test holds one; every package keeps quick tests (tests/test_slow.py).
"""

SLOW: dict[str, str] = {
    "a browser, or whole pages": """
        src/gramian/report/write.py::
        tests/studies/test_methods.py::test_a_study_of_questions
        tests/studies/test_methods.py::test_abundances_are_not_tested
        tests/studies/test_methods.py::test_holes_are_filled_in
        tests/studies/test_methods.py::test_questions_without_a_link
        tests/io/doctor/test_benchmark.py::
        src/gramian/studies/claim.py::
        src/gramian/studies/record.py::
        src/gramian/studies/study.py::
        tests/browser/
        tests/cli/test_cli.py::test_a_report_is_written
        tests/dimension/test_register.py::test_the_report
        tests/docs/test_extending.py
        tests/docs/test_models.py
        tests/docs/test_pages.py
        tests/report/test_code.py
        tests/report/test_demo.py
        tests/report/test_kernel.py
        tests/report/test_odd.py
        tests/report/test_page.py
        tests/report/test_words.py
        tests/studies/test_claims.py
        tests/studies/test_false_claims.py
        tests/test_reprs.py::test_results_say_the_answer_and_show_no_arrays[select]
        tests/test_reprs.py::test_results_say_the_answer_and_show_no_arrays[study]""",
    "other processes": """
        tests/adversarial/test_judge.py::test_a_crash
        tests/adversarial/test_quiet.py
        tests/adversarial/test_slice.py
        tests/cli/test_cli.py::test_a_kernel_of_a_plugin
        tests/cli/test_cli.py::test_colours_follow_the_terminal_and_no_color
        tests/cli/test_cli.py::test_progress_is_for_terminals_and_slow_things
        tests/cli/test_cli.py::test_threads_are_held
        tests/cli/test_cli.py::test_warnings_and_errors_speak_of_options
        tests/cli/test_cli.py::test_without_the_extras
        tests/datasets/test_bundled.py::test_importing_datasets_does_not
        tests/dimension/test_register.py::test_the_registry_is_complete
        tests/io/test_links.py::test_reading_a_table_loads
        tests/kernels/test_registry.py::test_a_name_brings
        tests/kernels/graph/test_estimators.py::test_the_submodules_come_when_they_are_asked_for
        tests/kernels/graph/test_estimators.py::test_values_do_not_depend_on_the_process
        tests/reliability/files/test_opening.py::test_standard_input
        tests/reliability/files/test_writing.py::test_what_a_killed_process
        tests/reliability/test_reproducibility.py
        tests/saving/test_bombs.py::test_bombs_are_refused
        tests/saving/test_refusals.py::test_a_full_disk_leaves_the_old_file
        tests/saving/test_refusals.py::test_a_killed_writer_leaves_a_whole_file
        tests/saving/test_whole.py::test_a_slice_of_the_mutations
        tests/test_layers.py::test_fitting_needs_no_optional_library
        tests/test_layers.py::test_the_one_door_that_points_up""",
    "walks over the whole source": """
        tests/test_privacy.py""",
    "scikit-learn's checks of every option": """
        tests/estimators/test_contract.py::test_estimators_with_options
        tests/estimators/test_contract.py::test_estimators_of_distances""",
    "code that is compiled or interpreted first": """
        tests/kernels/graph/test_paths.py::test_steps
        tests/operators/test_fused.py
        tests/stress/test_loops.py::test_isotonic
        tests/stress/test_loops.py::test_sort_within
        tests/stress/test_loops.py::test_sweep""",
    "large tables": """
        tests/io/test_delimited.py::test_a_column_whose_first_million
        tests/io/test_delimited.py::test_every_double_comes_back
        tests/kernels/test_bandwidth.py::test_a_large_table
        tests/operators/test_features_in_place.py::test_a_table_near_the_origin
        tests/operators/test_features_in_place.py::test_an_offset_changes_nothing
        tests/plots/test_maps.py::test_names_
        tests/plots/test_placement.py::test_texts_never_overlap
        tests/plots/test_variables.py::test_names_never_overlap
        tests/rkhs/test_mercer.py::test_the_iterative_solver_agrees
        tests/rkhs/test_mmd.py::test_memory_does_not_grow_with_the_square
        tests/saving/test_round_trip.py::test_what_is_shared
        tests/validity/test_repairs.py::test_a_large_correlation_matrix""",
    "grids of cases": """
        tests/adversarial/test_tables.py
        tests/cli/test_cli.py::test_data_sets_can_be_written_and_read
        tests/datasets/test_expression.py::test_first_axis_is_temperature
        tests/dimension/test_register.py::test_n_components_and_choose_agree
        tests/estimators/test_callers_rows.py::test_rows_changed_in_place
        tests/estimators/test_libraries.py::test_fit_transform
        tests/estimators/test_libraries.py::test_the_table_of_new_rows
        tests/estimators/test_mixed_libraries.py
        tests/identities/test_array_libraries.py
        tests/identities/test_new_points.py::test_transform_of_the_training_rows
        tests/io/test_formats.py::test_broken_files
        tests/kernels/graph/test_axioms.py
        tests/kernels/graph/test_him.py::test_distance
        tests/kernels/graph/test_naive.py::test_random_walk
        tests/kernels/graph/test_naive.py::test_what_is_counted
        tests/kernels/sequence/test_sequence.py::test_axioms_on_200_collections
        tests/identities/test_invariance.py::test_rows_in_another_order
        tests/reading/test_individuals.py::test_any_scale
        tests/reading/test_categories.py::test_any_scale
        tests/kernels/test_contract.py::TestKernelsOnSparseRows
        tests/kernels/test_contract.py::TestKernelsOnTorch
        tests/kernels/test_contract.py::TestKernelsOnVectors
        tests/kernels/test_contract.py::TestPositiveKernels
        tests/kernels/test_contract.py::TestProfiles
        tests/kernels/test_contract.py::TestRadialKernels::test_the_profile_is_nowhere
        tests/kernels/test_profiles.py
        tests/outside/test_factominer_reading.py
        tests/reliability/files/test_arrow_bombs.py
        tests/reliability/files/test_faults.py
        tests/reliability/files/test_formulas.py
        tests/reliability/files/test_fuzz.py
        tests/reliability/files/test_opening.py::test_a_bomb
        tests/reliability/files/test_opening.py::test_gzip_inside
        tests/reliability/files/test_other_bombs.py
        tests/reliability/files/test_quotes.py
        tests/reliability/files/test_workbooks.py
        tests/reliability/files/test_writing.py::test_a_command_is_refused
        tests/reliability/test_inputs_refused.py
        tests/reliability/test_inputs_accepted.py
        tests/reliability/test_inputs_precomputed.py
        tests/reliability/test_inputs_meaning.py
        tests/reliability/test_inputs_sparse.py
        tests/reliability/test_inputs_values.py
        tests/reliability/test_inputs_weights.py
        tests/reliability/test_junk.py
        tests/reliability/test_offset_accuracy.py
        tests/reliability/test_offsets_of_kernels.py
        tests/reliability/test_ranges.py
        tests/reliability/test_rows_changed_after_fit.py
        tests/rkhs/test_distance.py
        tests/plots/test_backends.py
        tests/operators/test_gram.py
        tests/operators/test_symmetric.py
        tests/plots/test_matrices.py::test_any_unit
        tests/reading/test_properties.py
        tests/reliability/test_dense_eigenpairs.py
        tests/reliability/test_distances.py
        tests/reliability/test_inputs_shapes.py
        tests/reliability/test_kernel_axioms.py
        tests/reliability/test_krylov_eigenpairs.py
        tests/reliability/test_matern.py
        tests/saving/test_bombs.py::test_no_place_of_the_tree
        tests/saving/test_bombs.py::test_states_that_are_none
        tests/saving/test_round_trip.py::test_every_reading_comes_back
        tests/saving/test_whole.py::test_no_honest_model_is_refused
        tests/saving/test_whole.py::test_one_number_alone
        tests/validity/test_matrices.py
        tests/validity/test_repairs.py::test_unit_diagonal
        tests/validity/test_search.py""",
    "simulations and many fits": """
        src/gramian/networks/study.py::
        tests/cli/test_cli.py::test_fit_says_the_stress_of_a_map
        tests/cli/test_cli.py::test_methods_and_json
        tests/datasets/test_expression.py::test_edges_have
        tests/dimension/test_cross_validation.py::test_finds_two_strong_axes
        tests/dimension/test_noise_rules.py::test_white_noise_has_no_axis
        tests/dimension/test_parallel.py
        tests/estimators/test_components.py::test_tuning_precomputed
        tests/estimators/test_logistic.py::test_representer_theorem
        tests/estimators/test_multi_kernel.py::test_rules_choose
        tests/estimators/test_rings.py
        tests/estimators/test_stress_mds.py
        tests/evidence/test_assumptions.py::test_broken
        tests/evidence/test_assumptions.py::test_independent
        tests/evidence/test_axes.py::test_flipped
        tests/evidence/test_axes.py::test_no_axis_too_many
        tests/evidence/test_axes.py::test_noise
        tests/evidence/test_axes.py::test_planted
        tests/evidence/test_axes.py::test_series
        tests/evidence/test_axes.py::test_unequal
        tests/evidence/test_clusters.py::test_a_factor
        tests/evidence/test_clusters.py::test_clusters_are_found
        tests/evidence/test_clusters.py::test_independent
        tests/evidence/test_curves.py::test_bends
        tests/evidence/test_curves.py::test_clusters
        tests/evidence/test_curves.py::test_independent
        tests/evidence/test_curves.py::test_linear
        tests/evidence/test_curves.py::test_rows_of_unequal
        tests/evidence/test_groups.py::test_a_clear
        tests/evidence/test_groups.py::test_groups_drawn
        tests/evidence/test_groups.py::test_unequal
        tests/evidence/test_loadings.py::test_noise
        tests/evidence/test_loadings.py::test_the_variables
        tests/evidence/test_numbers.py::test_what_is_tied
        tests/evidence/test_directions.py::test_equal
        tests/evidence/test_directions.py::test_intervals_cover
        tests/evidence/test_directions.py::test_the_angle
        tests/evidence/test_kernel_axes.py::test_distances
        tests/evidence/test_kernel_axes.py::test_random
        tests/evidence/test_rows.py::test_a_large
        tests/evidence/test_rows.py::test_normal
        tests/evidence/test_rows.py::test_planted
        tests/evidence/test_rows.py::test_the_ends
        tests/features/test_nystrom.py::test_random_pivots
        tests/importance/test_noise.py::test_columns
        tests/importance/test_noise.py::test_the_columns
        tests/importance/test_noise.py::test_the_level
        tests/networks/test_infer.py::test_stability_keeps
        tests/networks/test_noise.py
        tests/networks/test_study.py
        tests/outside/test_stress_mds.py::test_best_of_eight_starts
        tests/plots/test_ellipses.py::test_confidence_holds
        tests/plots/test_text.py::test_widths_are_not_less
        tests/rkhs/test_dependence.py::test_level_and_power
        tests/rkhs/test_dependence.py::test_tiles_give
        tests/rkhs/test_function.py::test_cauchy_schwarz
        tests/rkhs/test_function.py::test_it_is_a_vector_space
        tests/rkhs/test_mmd.py::test_level_and_power
        tests/saving/test_refusals.py::test_every_flipped_bit_is_seen
        tests/schoenberg/test_transforms.py::test_squared_distances_stay
        tests/schoenberg/test_transforms.py::test_the_search_finds_nothing
        tests/selection/test_select.py
        tests/selection/test_targets.py::test_a_target
        tests/spectral/test_krylov.py::test_the_tolerance_is_met
        tests/stability/test_resample.py::test_angles_are
        tests/stability/test_mantel.py::test_two_noisy
        tests/stability/test_resample.py::test_ellipses_hold
        tests/stability/test_resample.py::test_equal
        tests/stability/test_resample.py::test_intervals_cover
        tests/stability/test_resample.py::test_standard_errors_are_those_of_theory""",
}

PREFIXES = tuple(prefix for prefixes in SLOW.values() for prefix in prefixes.split())
FILES = frozenset(prefix.rstrip("/") for prefix in PREFIXES if "::" not in prefix)


def is_slow(name: str) -> bool:
    """Whether a test, by its full name, is left to the whole run."""
    return name.startswith(PREFIXES)
