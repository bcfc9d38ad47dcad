"""What the inner loop (`make check`) leaves to the whole run (`make test`), and why.

An entry is the start of a test's name: a folder, a file, a function, or one case of it. Whole files
are not even read. Everything else is quick: a test that takes more than about a fifth of a second
belongs here, as long as its package keeps a quick one.
"""

SLOW = {
    "a browser, or whole pages": """
        tests/browser/
        tests/docs/test_models.py
        tests/report/test_code.py
        tests/report/test_demo.py
        tests/report/test_odd.py
        tests/report/test_page.py
        tests/report/test_words.py
        tests/cli/test_cli.py::test_a_report_is_written
        tests/test_reprs.py::test_results_say_the_answer_and_show_no_arrays[select]
        tests/test_reprs.py::test_results_say_the_answer_and_show_no_arrays[study]""",
    "other processes": """
        tests/cli/test_cli.py::test_colours_follow_the_terminal_and_no_color
        tests/cli/test_cli.py::test_progress_is_for_terminals_and_slow_things
        tests/cli/test_cli.py::test_threads_are_held
        tests/cli/test_cli.py::test_without_the_extras
        tests/datasets/test_bundled.py::test_importing_datasets_does_not
        tests/kernels/graph/test_estimators.py::test_the_submodules_come_when_they_are_asked_for
        tests/kernels/graph/test_estimators.py::test_values_do_not_depend_on_the_process
        tests/plots/test_backends.py::test_none_needs_no_library
        tests/plots/test_backends.py::test_pyplot_is_not_touched
        tests/reliability/test_reproducibility.py
        tests/saving/test_refusals.py::test_a_full_disk_leaves_the_old_file
        tests/saving/test_refusals.py::test_a_killed_writer_leaves_a_whole_file
        tests/test_layers.py::test_fitting_needs_no_optional_library
        tests/test_layers.py::test_the_one_door_that_points_up""",
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
        tests/kernels/test_bandwidth.py::test_a_large_table
        tests/operators/test_features_in_place.py::test_an_offset_changes_nothing
        tests/operators/test_features_in_place.py::test_a_table_near_the_origin
        tests/reliability/test_inputs_precomputed.py::test_functions_that_are_no_kernel_tile
        tests/rkhs/test_mercer.py::test_the_iterative_solver_agrees
        tests/rkhs/test_mmd.py::test_memory_does_not_grow_with_the_square
        tests/validity/test_matrices.py::test_one_negative_eigenvalue_is_found
        tests/validity/test_matrices.py::test_gram_matrices_of_any_size
        tests/validity/test_matrices.py::test_two_thousand_points""",
    "grids of cases": """
        tests/kernels/graph/test_axioms.py
        tests/kernels/sequence/test_sequence.py::test_axioms_on_200_collections
        tests/plots/test_backends.py::test_matplotlib_draws_every_layer
        tests/plots/test_backends.py::test_titles_stand_on_both
        tests/reading/test_properties.py
        tests/reliability/test_dense_eigenpairs.py
        tests/reliability/test_distances.py
        tests/reliability/test_kernel_axioms.py
        tests/reliability/test_krylov_eigenpairs.py
        tests/reliability/test_matern.py""",
    "simulations and many fits": """
        tests/cli/test_cli.py::test_fit_says_the_stress_of_a_map
        tests/cli/test_cli.py::test_methods_and_json
        tests/dimension/test_cross_validation.py::test_finds_two_strong_axes
        tests/dimension/test_noise_rules.py::test_white_noise_has_no_axis
        tests/dimension/test_parallel.py::test_deflation_finds_what_a_giant_axis_hides
        tests/dimension/test_parallel.py::test_false_positives
        tests/dimension/test_parallel.py::test_parallel_is_a_name_for_n_components
        tests/dimension/test_parallel.py::test_parallel_with_approximate_features
        tests/dimension/test_parallel.py::test_planted_rank
        tests/dimension/test_parallel.py::test_sign_flips_are_right
        tests/estimators/test_logistic.py::test_representer_theorem
        tests/estimators/test_rings.py
        tests/estimators/test_stress_mds.py::test_new_points_of_the_plane
        tests/estimators/test_stress_mds.py::test_points_of_a_plane_come_back
        tests/estimators/test_stress_mds.py::test_same_seed_same_numbers
        tests/estimators/test_stress_mds.py::test_stress_test_tells_structure_from_noise
        tests/features/test_nystrom.py::test_random_pivots
        tests/networks/test_infer.py::test_stability_keeps
        tests/networks/test_study.py::test_any_method
        tests/networks/test_study.py::test_claims_are_rare
        tests/outside/test_stress_mds.py::test_best_of_eight_starts
        tests/plots/test_ellipses.py::test_confidence_holds
        tests/plots/test_text.py::test_widths_are_not_less
        tests/rkhs/test_dependence.py::test_level_and_power
        tests/rkhs/test_dependence.py::test_tiles_give
        tests/rkhs/test_mmd.py::test_level_and_power
        tests/saving/test_refusals.py::test_every_flipped_bit_is_seen
        tests/selection/test_select.py
        tests/spectral/test_krylov.py::test_the_tolerance_is_met
        tests/stability/test_resample.py::test_intervals_cover
        tests/stability/test_resample.py::test_standard_errors_are_those_of_theory
        tests/stability/test_resample.py::test_ellipses_hold""",
}
